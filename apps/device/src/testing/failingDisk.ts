import { type FileHandle, open } from "node:fs/promises";
import { onTestFinished, vi } from "vitest";

/**
 * Has an operation on open files of this process fail with EIO, where `fails` says so.
 * @returns a function that ends it; the end of the test does so, too
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
