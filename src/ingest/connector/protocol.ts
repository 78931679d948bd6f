import type { Statement } from '../../kit/errors/errors.ts';
import type { AccessCheck, ListingEnd, SourceFile, SourceListing, SourceMemo } from '../../providers/contract.ts';
import type { CloudEndpoints, ConnectionSpec } from '../../providers/spec.ts';

/** Credentials for the connector process: as sent, for a check; or as stored, with the keys to decrypt them only there. */
export type SpecSource =
  | { readonly plain: ConnectionSpec }
  | {
      readonly provider: ConnectionSpec['provider'];
      /** As in `ConnectionSpec`. */
      readonly settings: object;
      readonly trustExternalId: string;
      /** Credentials of `ConnectionSpec` as JSON, encrypted with AES-256-GCM (`kit/secrets/crypto.ts`). */
      readonly sealed: Uint8Array;
      /** Account id that the ciphertext is bound to. */
      readonly rowId: string;
      readonly keys: readonly Uint8Array[];
    };

/** Commands of the connector process. */
export interface ConnectorCommands {
  /** Must be the first command. `identity` contains the environment variables of the server's own AWS identity, used only for
   *  accounts with a role. Returns the credentials re-encrypted with the current key if they were encrypted with an old one. */
  open: {
    args: { source: SpecSource; endpoints: CloudEndpoints; identity: Readonly<Record<string, string>> };
    result: { resealed: Uint8Array | null };
  };
  check: { args: null; result: AccessCheck };
  list: { args: { memo: SourceMemo }; result: SourceListing };
  fetch: { args: { file: SourceFile; folder: string }; result: string };
  /** Ends all fetches that are under way. */
  abandon: { args: null; result: null };
  /** Writes the inventory as JSON lines to the folder. Null: the source has no inventory. */
  inventory: { args: { folder: string }; result: (ListingEnd & { path: string; items: number }) | null };
}

export type ConnectorCommand = keyof ConnectorCommands;

/** Responses of the connector process: a result, a problem that the account's owner must fix, a temporary problem, or an
 *  internal failure. A failure carries only its kind and location: its message may contain secrets. */
export type ConnectorMessage =
  | { id: number; result: unknown }
  | { id: number; refused: Statement }
  | { id: number; later: string; retryAfterMs: number | null }
  | { id: number; failed: string; where: string };
