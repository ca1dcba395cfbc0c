import { router } from "../../trpc/init";
import { funnel } from "./funnel";
import { retention } from "./retention";
import { topEvents } from "./topEvents";
import { track, trackBatch } from "./track";
import { trend } from "./trend";

export const analyticsRouter = router({ track, trackBatch, trend, topEvents, funnel, retention });
