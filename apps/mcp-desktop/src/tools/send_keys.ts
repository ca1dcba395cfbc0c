import * as z from "zod";
import { delivered } from "../actions/delivery";
import { readKeys } from "../actions/keyboard";
import { pressChord } from "../actions/keys";
import { isMac } from "../actions/platform";
import { settled } from "../actions/settle";
import { desktopTool, onPage } from "../call";
import { changes, onWindow, tacit, text, whole } from "./inputs";

export const sendKeys = desktopTool({
  name: "send_keys",
  title: "Send keys",
  description:
    'Presses keys where the focus is: ["Escape"], ["ControlOrMeta+A"], ["Control", "Shift", "p"] (held for what follows). For text use type_text.',
  annotations: changes,
  input: z.strictObject({
    keys: z
      .array(text(50))
      .refine(({ length }) => length >= 1 && length <= 50, { error: "must be 1 to 50 keys" })
      .describe("In order"),
    repeat: tacit(whole(1, 100), 1).describe("Times"),
    ...onWindow,
  }),
  run: ({ keys, repeat, ...given }, call) =>
    onPage(call, given, (page) =>
      page.inTurn(async () => {
        const { signal } = call;
        const mac = await isMac(page, signal);
        const chords = readKeys(keys, mac);
        await page.emulateFocus(signal);
        const followed = await settled(
          page,
          async (patience) => {
            const send = async () => {
              for (let time = 0; time < repeat; time++)
                for (const chord of chords) await pressChord(page.session, chord, mac, patience);
            };
            await delivered(page, "keys", send, patience);
          },
          signal,
        );
        const times = repeat > 1 ? `, ${repeat} times` : "";
        return [`Pressed ${keys.join(" ")}${times}.`, ...followed].join("\n");
      }, call.signal),
    ),
});
