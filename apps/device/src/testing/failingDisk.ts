import { type FileHandle, open } from "node:fs/promises";
import { onTestFinished, vi } from "vitest";

/**
 * Makes an operation on open files of this process fail with EIO whenever `fails` returns true.
 * @returns a function that ends this; otherwise it ends with the test
 */
export async function failingDisk(
  operation: "write" | "sync",
  fails: (file: FileHandle) => boolean | Promise<boolean>,
): Promise<() => void> {
  const file = await open("/dev/null");
  const prototype: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const real = prototype[operation] as (...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(prototype, operation).mockImplementation(async function (
    this: FileHandle,
    ...args: unknown[]
  ): Promise<never> {
    if (await fails(this)) throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    return (await real.apply(this, args)) as never;
  });
  const end = () => spy.mockRestore();
  onTestFinished(end);
  return end;
}
