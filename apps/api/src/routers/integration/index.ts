import { router } from "../../trpc/init";
import { codehostRouter } from "./codehost";
import { connectionProcedures } from "./connections";
import { eventProcedures } from "./events";
import { messengerRouter } from "./messenger";
import { trackerRouter } from "./tracker";

export const integrationRouter = router({
  ...connectionProcedures,
  ...eventProcedures,
  codehost: codehostRouter,
  tracker: trackerRouter,
  messenger: messengerRouter,
});
