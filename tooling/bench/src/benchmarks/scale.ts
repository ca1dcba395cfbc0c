import type { Benchmark, Row } from "../benchmark";
import { arithmetic } from "../scale/arithmetic";
import { IN_FLIGHT, MEASURED_MS } from "../scale/commands";
import { type Costs, IDLE_MS, measurePoint } from "../scale/point";
import { Scope } from "../scope";
import { renderTable } from "../table";

/** How many devices on how many instances. The first is the baseline. */
const POINTS = [
  { devices: 2_500, instances: 1 },
  { devices: 5_000, instances: 1 },
  { devices: 5_000, instances: 2 },
  { devices: 10_000, instances: 2 },
  { devices: 15_000, instances: 3 },
  { devices: 20_000, instances: 3 },
];
/** A cloud's disk. */
const FLUSH_MS = 1;
/** The most by which a cost may differ from the first point's. */
const FLAT = 1.1;

/** So little that a ratio would compare the work of each instance, which has little to do with devices. */
const NEGLIGIBLE: Partial<Costs> = { "WAL, bytes a device-minute": 100 };

/** Two cores can show only that a cost does not grow with devices and instances. */
export const scale: Benchmark = {
  name: "scale",
  summary:
    "the costs of 2 500 to 20 000 devices on one to three API processes (--rounds N: the first N points)",
  async run(context) {
    const { scope, rounds = POINTS.length, flushMs = FLUSH_MS } = context;
    const rows: Row[] = [];
    let floor: Costs | undefined;
    let last: Costs | undefined;
    for (const point of POINTS.slice(0, rounds)) {
      const pointScope = new Scope();
      scope.defer(() => pointScope.close());
      const { costs, facts } = await measurePoint(context, pointScope, point, flushMs);
      await pointScope.close();
      last = costs;
      floor ??= costs;
      const title = `${point.devices} devices on ${point.instances}`;
      const ofPoint = [...costRows(costs, floor), ...Object.entries(facts).map(factRow)];
      rows.push({ measure: title, grove: Number.NaN }, ...ofPoint);
      // All points take half an hour. The figures of one are kept if a later one fails.
      context.progress(renderTable(title, { title: "measured", rows: ofPoint, notes: [] }));
    }
    if (last) {
      rows.push({ measure: "100 000 devices, by the last point's costs", grove: Number.NaN });
      rows.push(...arithmetic(last));
    }
    return {
      title:
        "devices that answer heartbeats and commands immediately, from other processes; floor: the first point",
      rows,
      notes: [
        `A flush takes ${flushMs} ms.`,
        `Idle for ${IDLE_MS / 1_000} s, then ${IN_FLIGHT} commands in flight for each instance, for ${MEASURED_MS / 1_000} s: each by the instance of the device, then, with several, by any.`,
      ],
    };
  },
};

const costRows = (costs: Costs, floor: Costs): Row[] =>
  Object.entries(costs).map(([measure, grove]) => {
    const of = floor[measure as keyof Costs];
    const atMost = NEGLIGIBLE[measure as keyof Costs];
    const aim: Row["aim"] = atMost ? { of: "grove", atMost } : { of: "ratio", atMost: FLAT };
    return { measure, floor: of, grove, ratio: grove / of, aim };
  });

const factRow = ([measure, grove]: [string, number]): Row => ({ measure, grove });
