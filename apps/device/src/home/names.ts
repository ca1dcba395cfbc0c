import { randomInt } from "node:crypto";
import { MAX_DERIVED_SLUG_LENGTH, toSlug } from "@grove/schemas";

/**
 * Converts a text in any script to lower-case ASCII words with hyphens: at most 60 characters, or `fallback` if nothing
 * is left. The result is a safe file name, a safe part of a branch name, and a valid slug.
 */
export async function slugify(text: string, fallback: string): Promise<string> {
  // Half a megabyte of tables, which most names do not need.
  const ascii = /^[\x20-\x7e]*$/.test(text) ? text : (await import("any-ascii")).default(text);
  return toSlug(ascii, MAX_DERIVED_SLUG_LENGTH) || fallback;
}

/** The first of `base`, `base-2`, `base-3`, … that is free. */
export async function firstFree(
  base: string,
  isTaken: (candidate: string) => boolean | Promise<boolean>,
): Promise<string> {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? base : `${base}-${n}`;
    if (!(await isTaken(candidate))) return candidate;
  }
}

const ADJECTIVES =
  "amber autumn bold brave bright brisk calm clear clever copper coral cosmic crisp daring deft eager early fair fleet gentle glad golden grand happy hardy hazel hidden honest humble ivory jolly keen kind lively lucky lunar mellow merry mighty misty nimble noble olive patient plucky proud quick quiet rapid rosy royal rustic sage scarlet serene silent silver sleek smooth snowy solar spry steady still sunny swift tidal tidy velvet vivid warm wild winter wise witty zesty".split(
    " ",
  );
const ANIMALS =
  "albatross antelope badger beaver bison bobcat buffalo camel caribou cheetah cobra condor cougar coyote crane deer dingo dolphin dove eagle egret elk falcon ferret finch fox gazelle gecko gibbon goose gopher hare hawk heron hornet ibex ibis iguana jackal jaguar kestrel kiwi koala lark lemur leopard lion llama lynx magpie marmot marten mink moose moth narwhal newt ocelot orca osprey otter owl panda panther parrot pelican penguin pika puffin puma quail rabbit raven robin salmon seal sparrow stork swan tapir tern tiger toucan trout turtle viper walrus weasel whale wolf wombat wren yak zebra".split(
    " ",
  );

const pick = (words: readonly string[]) => words[randomInt(words.length)] ?? "";

/** A readable name like `swift-otter` that is not taken, with a number if every draw was taken. */
export function generateName(isTaken: (candidate: string) => boolean): Promise<string> {
  const draw = () => `${pick(ADJECTIVES)}-${pick(ANIMALS)}`;
  for (let attempt = 0; attempt < 20; attempt++) {
    const candidate = draw();
    if (!isTaken(candidate)) return Promise.resolve(candidate);
  }
  return firstFree(draw(), isTaken);
}
