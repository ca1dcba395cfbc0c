import { runProgram } from "./program";

runProgram();
