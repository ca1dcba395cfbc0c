import type { Row } from "../benchmark";
import type { Costs } from "./point";

const DEVICES = 100_000;
/** The most commands a second: ten times the mean of 50 commands a device and day. */
const COMMANDS_A_SECOND = (DEVICES * 50 * 10) / 86_400;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const KIB = 1_024;

/** Extrapolates the needs of a hundred thousand devices from the costs of a device and a command. */
export function arithmetic(costs: Costs): Row[] {
  const ofDevices = (ms: number) => (ms * DEVICES) / MINUTE_MS;
  const ofCommands = (ms: number) => (ms * COMMANDS_A_SECOND) / 1_000;
  const figures = {
    "idle: cores of all instances": ofDevices(costs["API, ms of the processor a device-minute"]),
    "idle: cores of PostgreSQL": ofDevices(costs["PostgreSQL, ms of the processor a device-minute"]),
    "idle: transactions a second": (costs["transactions a device-minute"] * DEVICES) / 60,
    "idle: WAL, GB a day": (costs["WAL, bytes a device-minute"] * DEVICES * DAY_MINUTES) / 1e9,
    "streams: memory of all instances, GiB": (costs["memory of the API, KiB a stream"] * DEVICES) / KIB ** 2,
    "at the peak: commands a second": COMMANDS_A_SECOND,
    "at the peak: cores of all instances for commands": ofCommands(
      costs["API, ms of the processor a command"],
    ),
    "at the peak: cores of PostgreSQL for commands": ofCommands(
      costs["PostgreSQL, ms of the processor a command"],
    ),
    "commands: WAL, GB a day": (costs["WAL, bytes a command"] * DEVICES * 50) / 1e9,
  };
  return Object.entries(figures).map(([measure, grove]) => ({ measure, grove }));
}
