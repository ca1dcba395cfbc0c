/** Whether a text has the form of an id. */
export const isId = (text: string): boolean => /^[\da-f-]{36}$/i.test(text);
