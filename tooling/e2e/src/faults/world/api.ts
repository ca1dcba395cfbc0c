import { runProgram } from "@grove/api/program";

// The API with a sweeper that is faster than the usual one: `tsx api.ts serve '{"everyMs":500}'`.
const [, times = "{}"] = process.argv.slice(2);
runProgram(JSON.parse(times));
