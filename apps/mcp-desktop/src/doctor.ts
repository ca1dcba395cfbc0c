import { ToolError } from "@grove/mcp";
import { messageOf } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { DocumentNumbers } from "./cdp/frame";
import { Link } from "./cdp/link";
import { isOfApp, isOfBrowser } from "./cdp/targets";
import { WindowIds } from "./cdp/windowIds";
import { Desktop, type DesktopOptions, portOf, reasonOf } from "./desktop";

export interface Diagnosis {
  readonly ok: boolean;
  readonly text: string;
}

/** Reports whether the app's debugging port answers, its targets, and which window the tools would use. */
export async function diagnose(options: DesktopOptions): Promise<Diagnosis> {
  const { cdpUrl, origins, log } = options;
  const signal = timeoutSignal(10_000);
  const { hostname } = new URL(cdpUrl);
  const lines: string[] = [];
  if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    lines.push(
      `warning: ${hostname} is not this machine; anyone who can reach a debugging port controls the app`,
    );
  try {
    const context = { ids: new WindowIds(), numbers: new DocumentNumbers(), origins, log };
    const link = await Link.open(cdpUrl, context, signal);
    const { product, protocolVersion } = await link.connection.browser.send(
      "Browser.getVersion",
      undefined,
      signal,
    );
    lines.push(`ok: ${cdpUrl} answers (${product}, protocol ${protocolVersion})`);
    lines.push(...targetsOf(link));
    const choice = await chosen(options, link, signal);
    link.connection.close();
    return { ok: choice.ok, text: [...lines, choice.text].join("\n") };
  } catch (error) {
    if (error instanceof ToolError)
      return { ok: false, text: [...lines, `failed: ${error.message}. ${error.nextStep}`].join("\n") };
    return {
      ok: false,
      text: [
        ...lines,
        `failed: no Chromium answers at ${cdpUrl} (${reasonOf(error)})`,
        `Start the app with --remote-debugging-port=${portOf(cdpUrl)}, or name its port in CDP_URL. Is another instance of the app`,
        "running without the port? Some apps allow only one at a time: end that one first.",
      ].join("\n"),
    };
  }
}

const targetsOf = (link: Link): string[] =>
  link.targets
    .filter((target) => !isOfBrowser(target))
    .map((target) => {
      const { type, title, url, targetId } = target;
      const name = isOfApp(target) ? link.windowIdOf(targetId) : "--";
      return `  ${name} ${type} ${JSON.stringify(title.slice(0, 60))} ${url.slice(0, 150)}`;
    });

async function chosen(options: DesktopOptions, link: Link, signal: AbortSignal): Promise<Diagnosis> {
  try {
    const { chosen } = await new Desktop(options).choose(link, signal);
    return { ok: true, text: `ok: tools act on ${link.windowIdOf(chosen.targetId)} by default` };
  } catch (error) {
    return { ok: false, text: `failed: ${messageOf(error)}` };
  }
}
