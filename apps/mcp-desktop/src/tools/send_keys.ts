import * as z from "zod";
import { actAndAwaitFrame } from "../actions/actAndWait";
import { sendInput } from "../actions/delivery";
import { readKeys } from "../actions/keyboard";
import { pressChord } from "../actions/keys";
import { isMac } from "../actions/platform";
import { desktopTool, onPage } from "../desktopTool";
import { integerWithin, textWithin, windowInputs, withDefault, writeAnnotations } from "./inputs";

export const sendKeys = desktopTool({
  name: "send_keys",
  title: "Send keys",
  description:
    'Presses keys where the focus is: ["Escape"], ["ControlOrMeta+A"], ["Control", "Shift", "p"] (held for what follows). For text use type_text.',
  annotations: writeAnnotations,
  input: z.strictObject({
    keys: z
      .array(textWithin(50))
      .refine(({ length }) => length >= 1 && length <= 50, { error: "must be 1 to 50 keys" })
      .describe("In order"),
    repeat: withDefault(integerWithin(1, 100), 1).describe("Times"),
    ...windowInputs,
  }),
  run: ({ keys, repeat, ...given }, call) =>
    onPage(call, given, (page) =>
      page.runExclusive(async () => {
        const { signal } = call;
        const mac = await isMac(page, signal);
        const chords = readKeys(keys, mac);
        await page.emulateFocus(signal);
        const followed = await actAndAwaitFrame(
          page,
          async (timeout) => {
            const send = async () => {
              for (let time = 0; time < repeat; time++)
                for (const chord of chords) await pressChord(page.session, chord, mac, timeout);
            };
            await sendInput(page, "keys", send, timeout);
          },
          signal,
        );
        const times = repeat > 1 ? `, ${repeat} times` : "";
        return [`Pressed ${keys.join(" ")}${times}.`, ...followed].join("\n");
      }, call.signal),
    ),
});
