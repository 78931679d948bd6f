import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { GraphQLError } from 'graphql';

/** Ends an operation whose response the client already has. */
class NotModified extends Error {}

/** Creates the `Context.dependsOn` of one request. It makes the field throw if the client's copy is still valid. */
export function revalidation(req: Request, res: Response, representation: string): (version: string) => void {
  return (version) => {
    if (isUnchanged(req, res, version, representation)) throw new NotModified();
  };
}

/** Whether an operation ended because the client's copy is still valid. */
export function isNotModified(thrown: unknown): boolean {
  return thrown instanceof GraphQLError && thrown.originalError instanceof NotModified;
}

/** Sets the ETag and caching headers. True: the client's copy is still valid.
 *  @param representation distinguishes the `json` and `csv` forms of a response */
export function isUnchanged(req: Request, res: Response, dependence: string, representation: string): boolean {
  const hash = createHash('sha256').update(representation).update('\u0000').update(dependence).digest('base64url');
  const tag = `W/"${hash.slice(0, 27)}"`;
  res.setHeader('ETag', tag);
  // Programs keep their copy themselves; browsers must not store costs on disk.
  res.setHeader('Cache-Control', 'no-store');
  res.vary('Authorization');
  res.vary('Accept');
  return matchesTag(req.get('if-none-match'), tag);
}

/** Whether `If-None-Match` matches a tag (RFC 9110, 13.1.2): weak comparison, a list, or any. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}
