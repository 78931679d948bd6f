import { readFileSync } from 'node:fs';

/** Files and sockets besides those of clients: connections to the database, pipes to child processes, files that are read. */
const reserved = 144;
/** Connections of clients beyond the limit that are still accepted, to be answered with 503. */
const refusable = 16;
/** Lowest limit with which a server can work, for 32 clients. */
const least = reserved + refusable + 32;
/** Limit below which a busy server may run out of open files. */
const usual = 1_024;

const remedy = 'raise it, for example with "ulimit -n 65536" or LimitNOFILE=65536';

/** Maximum connections of clients; unlimited if the limit of open files is unknown. */
export interface ConnectionLimits {
  /** Further ones are answered with 503. */
  readonly served: number;
  /** Further ones are closed. */
  readonly accepted: number;
}

/** The limit of open files of this process; null if unknown. Node has raised the soft one to the hard one. */
export function openFilesLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** Returns a warning about a low limit of open files; null if it is high enough.
 *  @throws {Error} for a limit with which a server cannot work */
export function checkOpenFiles(limit: number | null): string | null {
  if (limit === null || limit >= usual) return null;
  if (limit < least)
    throw new Error(`The limit of open files is ${limit}, and a server needs at least ${least}; ${remedy}`);
  return `The limit of open files is ${limit}: only ${connectionLimits(limit).served} clients are served at a time; ${remedy}`;
}

/** Returns the limits that leave enough open files for the database and the child processes. */
export function connectionLimits(limit: number | null): ConnectionLimits {
  const accepted = limit === null ? Infinity : limit - reserved;
  return { served: accepted - refusable, accepted };
}
