import type { Caller } from '../tools/tool.ts';

/** Something to read that a person or a client puts beside a conversation. */
export interface Resource {
  readonly uri: `costkeep://${string}`;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'text/markdown' | 'application/json';
  /** Its text.
   *  @throws {ApiFailure} */
  read(caller: Caller): Promise<string>;
}
