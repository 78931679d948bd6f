import type { AnyPrompt } from './prompt.ts';

/** Every prompt, in the order in which clients show them. */
export const prompts: readonly AnyPrompt[] = [];
