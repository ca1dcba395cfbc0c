/** The text of an expression whose value is the default export of the module (`pageScripts` of @grove/tsup). */
declare module "*?script" {
  const script: string;
  export default script;
}
