import type { Caller } from '../tools/tool.ts';

/** What a prompt can be asked with: a text, left out or blank where nobody says. */
export interface PromptArgument {
  readonly description: string;
  /** What it may be, for who types it.
   *  @throws {ApiFailure} */
  suggest?(caller: Caller): Promise<readonly string[]>;
}

/** A question that people ask again and again: they choose it by name, and the model gets the message. */
export interface Prompt {
  /** snake_case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: Readonly<Record<string, PromptArgument>>;
  /** The message in the name of the user.
   *  @param args those that were given, none of them blank
   *  @throws {BadArguments} */
  message(args: Readonly<Record<string, string>>, now: Date): string;
}
