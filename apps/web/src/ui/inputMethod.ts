/** The part of a key event, of React or of the document, that shows whether an input method handles the key. */
interface ComposedKey {
  isComposing?: boolean;
  nativeEvent?: { isComposing: boolean };
  keyCode: number;
}

/** The key code of keys that an input method handles. Safari reports the end of a composition only by it. */
const INPUT_METHOD = 229;

/** Whether an input method handles the key, for example Enter, which chooses a word. */
export const isComposing = ({ isComposing: native, nativeEvent, keyCode }: ComposedKey): boolean =>
  native === true || nativeEvent?.isComposing === true || keyCode === INPUT_METHOD;

/** Makes a handler of keys from one that must not get the keys of an input method. Every handler is made by it. */
export const onKeys =
  <Event extends ComposedKey>(handle: (event: Event) => void) =>
  (event: Event): void => {
    if (!isComposing(event)) handle(event);
  };
