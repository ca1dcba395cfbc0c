import { runProgram } from "@grove/api/program";

// The API with a faster sweeper: `tsx api.ts serve '{"everyMs":500}'`.
const [, times = "{}"] = process.argv.slice(2);
runProgram(JSON.parse(times));
