import { runProgram } from "./cli/program";

runProgram();
