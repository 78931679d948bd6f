import type { Config } from '../../kit/config.ts';
import { fix, invalid, operation } from '../../kit/errors.ts';
import type { CostSource } from '../../providers/contract.ts';
import { openFocusFolder } from '../../providers/focus/folder.ts';
import type { AccountSource } from '../accounts/store.ts';
import { openConnector, type Connector } from '../connector/process.ts';
import type { ConnectorCommands } from '../connector/protocol.ts';

/** Where an account's bills and inventory come from, while its sync runs. */
export interface OpenSource {
  readonly costs: CostSource;
  /** The credentials sealed with the current key, when an old one had sealed them. */
  readonly resealed: Uint8Array<ArrayBuffer> | null;
  /** Writes the inventory into a folder; null, or what answers null: there is none to ask.
   *  @throws {AppError} VALIDATION_ERROR when nothing at all may be read
   *  @throws {TryLater} */
  readonly inventory: ((folder: string) => Promise<ConnectorCommands['inventory']['result']>) | null;
  /** Ends the process that holds the credentials. */
  stop(): Promise<void>;
}

/** Opens a folder of the server, or a process that speaks to the account's cloud.
 *  @throws {AppError} VALIDATION_ERROR when folder, credentials or settings cannot be used */
export async function openSource(
  config: Pick<Config, 'clouds' | 'connectorEnvironment' | 'dataDir' | 'encryptionKeys' | 'focusRoot'>,
  accountId: string,
  account: AccountSource,
  signal: AbortSignal,
): Promise<OpenSource> {
  const { path, provider, settings, sealed, trustExternalId } = account;
  if (path !== '') return fromFolder(await openFocusFolder(config.focusRoot, path));
  if (!sealed) throw invalid`The account has no credentials${fix}send them with ${operation('PATCH /accounts/{id}')}`;
  const secret = { sealed, rowId: accountId, keys: config.encryptionKeys };
  const source = { provider, settings, trustExternalId, ...secret };
  return fromConnector(await openConnector(source, { config, signal }));
}

function fromFolder(costs: CostSource): OpenSource {
  return { costs, resealed: null, inventory: null, stop: async () => {} };
}

function fromConnector(connector: Connector): OpenSource {
  return {
    costs: {
      isInPlace: false,
      list: (memo) => connector.ask('list', { memo }),
      fetch: (file, folder) => connector.ask('fetch', { file, folder }),
    },
    resealed: connector.resealed && Uint8Array.from(connector.resealed),
    inventory: (folder) => connector.ask('inventory', { folder }),
    stop: () => connector.stop(),
  };
}
