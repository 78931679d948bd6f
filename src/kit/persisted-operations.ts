import fs from 'node:fs';
import { z } from 'zod';

const file = z.record(z.string().min(1), z.string().min(1));

/** GraphQL documents by id. */
export type PersistedOperations = ReadonlyMap<string, string>;

/** Reads a JSON file with an object of GraphQL documents by id, as GraphQL Code Generator and Relay write it. Null
 *  if the file is invalid. */
export function readOperations(path: string): PersistedOperations | null {
  try {
    return new Map(Object.entries(file.parse(JSON.parse(fs.readFileSync(path, 'utf8')))));
  } catch {
    return null;
  }
}
