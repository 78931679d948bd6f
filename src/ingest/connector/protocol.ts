import type { Statement } from '../../kit/errors.ts';
import type { AccessCheck, ListingEnd, SourceFile, SourceListing, SourceMemo } from '../../providers/contract.ts';
import type { CloudEndpoints, ConnectionSpec } from '../../providers/spec.ts';

/** How the connecting process gets an account's credentials: as they were sent, for a check; or as they are stored, with the
 *  keys to decrypt them there and nowhere else. */
export type SpecSource =
  | { readonly plain: ConnectionSpec }
  | {
      readonly provider: ConnectionSpec['provider'];
      /** As `ConnectionSpec` has them. */
      readonly settings: object;
      readonly trustExternalId: string;
      /** AES-256-GCM (`kit/crypto.ts`) of the credentials' JSON, as `ConnectionSpec` has them. */
      readonly sealed: Uint8Array;
      /** The account's id, which the secret is bound to. */
      readonly rowId: string;
      readonly keys: readonly Uint8Array[];
    };

/** What the connecting process does, by name. */
export interface ConnectorCommands {
  /** Comes first. `identity` are the variables that tell the server's own AWS identity: an account with a role takes them into
   *  its environment, every other one drops them. Answers the credentials sealed with the current key when an old one had
   *  sealed them. */
  open: {
    args: { source: SpecSource; endpoints: CloudEndpoints; identity: Readonly<Record<string, string>> };
    result: { resealed: Uint8Array | null };
  };
  check: { args: null; result: AccessCheck };
  list: { args: { memo: SourceMemo }; result: SourceListing };
  fetch: { args: { file: SourceFile; folder: string }; result: string };
  /** Writes the inventory as JSON lines into the folder. Null: there is none to ask. */
  inventory: { args: { folder: string }; result: (ListingEnd & { path: string; items: number }) | null };
}

export type ConnectorCommand = keyof ConnectorCommands;

/** What the connecting process answers: a result, what the account's owner must mend, what only time mends, or a failure of
 *  its own. Of that only what kind it was and where it happened come out: its message may hold what must not be told. */
export type ConnectorMessage =
  | { id: number; result: unknown }
  | { id: number; refused: Statement }
  | { id: number; later: string; retryAfterMs: number | null }
  | { id: number; failed: string; where: string };
