export async function lockDataDirectory(_directory: string): Promise<() => Promise<void>> {
  return async () => {};
}
