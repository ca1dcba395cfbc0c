/** Puts the template of new embedded databases beside the program that has just been built. */

import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { templateFile, templateName } from "@grove/db/template";

await copyFile(await templateFile(), join(import.meta.dirname, "dist", templateName));
