import { defineMcpServer } from "@grove/tsup";

export default defineMcpServer();
