import { testNotifier } from "./engines/testing";
import { useTestDatabase } from "./testing";

testNotifier(await useTestDatabase());
