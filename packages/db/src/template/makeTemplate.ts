import { templateFile } from "./index";

// Once for all tests and programs that make databases from it, before several of them do so at the same time.
await templateFile();
