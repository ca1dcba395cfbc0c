/** The choices of which changes are shown, as `against` in the URL. */
export const scopes = [
  { value: "base", title: "All changes" },
  { value: "seen", title: "Since I last looked" },
  { value: "turn", title: "This turn" },
  { value: "head", title: "Uncommitted" },
] as const;

/** The choice after another one, and the first one after a restore point. */
export function nextScope(scope: string): string {
  const index = scopes.findIndex(({ value }) => value === scope);
  return scopes[(index + 1) % scopes.length]?.value ?? "base";
}

/** Whether a choice is a restore point's commit. */
export const isPoint = (scope: string): boolean => scopes.every(({ value }) => value !== scope);
