import { fileURLToPath } from "node:url";
import { version } from "../../../package.json";
import { openDatabase } from "../../open";
import { insertSampleRows } from "../testing/sampleRows";
import { writeBackup } from "../write";

const ROWS = 600;

// Run once before each release whose schema is new, and committed: from then on it is never made again.
const database = await openDatabase();
await insertSampleRows(database.db, ROWS);
const path = fileURLToPath(new URL(`./${version}.backup.gz`, import.meta.url));
const { rows } = await writeBackup(database, path, async () => ({ release: version, sealed: [] }));
await database.close();
process.stdout.write(`${path}: ${rows} rows\n`);
