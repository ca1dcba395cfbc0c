import { statements } from "./statements";

/** The name by which people reach a device with ssh. */
export const up = statements(["alter table devices add column ssh_host text"]);
