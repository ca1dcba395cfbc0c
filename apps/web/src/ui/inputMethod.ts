/** The common part of React's and the DOM's keyboard events. */
interface ComposedKey {
  isComposing?: boolean;
  nativeEvent?: { isComposing: boolean };
  keyCode: number;
}

/** The key code of keys that an input method handles. In Safari, only this marks the end of a composition. */
const INPUT_METHOD = 229;

/** Whether an input method handles the key, for example Enter, which chooses a word. */
export const isComposing = ({ isComposing: native, nativeEvent, keyCode }: ComposedKey): boolean =>
  native === true || nativeEvent?.isComposing === true || keyCode === INPUT_METHOD;

/**
 * Wraps a key handler so that it ignores keys of an input method. Every key handler must be wrapped.
 * @param ignore called with the ignored keys
 */
export const onKeys =
  <Event extends ComposedKey>(handle: (event: Event) => void, ignore?: (event: Event) => void) =>
  (event: Event): void => {
    if (isComposing(event)) ignore?.(event);
    else handle(event);
  };
