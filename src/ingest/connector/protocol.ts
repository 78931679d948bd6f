import type { AccessCheck, SourceFile, SourceListing, SourceMemo } from '../../providers/contract.ts';
import type { CloudEndpoints, ConnectionSpec } from '../../providers/spec.ts';

/** How the connecting process gets an account's credentials: as they were sent, for a check; or as they are stored, with the
 *  keys to decrypt them there and nowhere else. */
export type SpecSource =
  | { readonly plain: ConnectionSpec }
  | {
      readonly provider: ConnectionSpec['provider'];
      readonly settings: object;
      readonly trustExternalId: string;
      /** AES-256-GCM (`kit/crypto.ts`). */
      readonly sealed: Uint8Array;
      readonly rowId: string;
      readonly keys: readonly Uint8Array[];
    };

/** What the connecting process does, by name. */
export interface ConnectorCommands {
  open: { args: { source: SpecSource; endpoints: CloudEndpoints }; result: { resealed: Uint8Array | null } };
  check: { args: null; result: AccessCheck };
  list: { args: { memo: SourceMemo }; result: SourceListing };
  fetch: { args: { file: SourceFile; folder: string }; result: string };
  /** Writes the inventory as JSON lines into the folder. */
  inventory: { args: { folder: string }; result: { path: string; items: number; warnings: readonly string[] } | null };
}

export type ConnectorCommand = keyof ConnectorCommands;
