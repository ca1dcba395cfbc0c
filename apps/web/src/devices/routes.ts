import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute, signedInRoute } from "../app/routes";
import { queries, queryClient } from "../lib/api";
import { pickTexts } from "../lib/pickTexts";
import { deviceSearchParams } from "./searchParams";

const devices = createRoute({
  getParentRoute: () => organizationRoute,
  path: "devices",
  loader: ({ context }) =>
    queryClient.ensureQueryData(
      queries.device.list.queryOptions({ organizationId: context.organization.id }),
    ),
  component: lazyRouteComponent(() => import("./devicesPage"), "DevicesPage"),
});

const addDevice = createRoute({
  getParentRoute: () => organizationRoute,
  path: "devices/add",
  component: lazyRouteComponent(() => import("./addDevicePage"), "AddDevicePage"),
});

const device = createRoute({
  getParentRoute: () => organizationRoute,
  path: "devices/$deviceId",
  validateSearch: deviceSearchParams,
  loader: ({ context, params }) =>
    queryClient.ensureQueryData(
      queries.device.get.queryOptions({ organizationId: context.organization.id, id: params.deviceId }),
    ),
  component: lazyRouteComponent(() => import("./devicePage"), "DevicePage"),
});

/** The page for which a machine shows a link with its code. */
const pairing = createRoute({
  getParentRoute: () => signedInRoute,
  path: "device",
  validateSearch: pickTexts("code"),
  loader: () => queryClient.ensureQueryData(queries.organization.list.queryOptions()),
  component: lazyRouteComponent(() => import("./pairingPage"), "PairingPage"),
});

export const deviceRoutes = { devices, addDevice, device };
/** Routes for signed-in users outside any organization. */
export const pairingRoutes = { pairing };
