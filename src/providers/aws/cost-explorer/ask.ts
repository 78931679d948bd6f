import {
  type CostExplorerClient,
  GetCostAndUsageCommand,
  type GetCostAndUsageCommandInput,
  type GetCostAndUsageCommandOutput,
  type ResultByTime,
} from '@aws-sdk/client-cost-explorer';
import { fix, invalid, mention } from '../../../kit/errors/errors.ts';
import { followPages, TryLater } from '../../faults.ts';
import { AwsFault } from '../faults.ts';

/** Maximum pages of one query: each costs USD 0.01, and above this a Data Export is the better choice. */
const maxPages = 300;

/** One page of a response. */
export interface CostPage {
  readonly results: readonly ResultByTime[];
  /** Account names, by account id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Queries Cost Explorer page by page.
 *  @throws {AppError} VALIDATION_ERROR naming the missing permission, or Cost Explorer's error
 *  @throws {TryLater} */
export async function* askCosts(
  client: CostExplorerClient,
  question: GetCostAndUsageCommandInput,
  signal: AbortSignal,
): AsyncGenerator<CostPage> {
  const page = (token?: string) => ask(client, { ...question, ...(token && { NextPageToken: token }) }, signal);
  for await (const answer of followPages(page, ({ NextPageToken }) => NextPageToken, maxPages, endless))
    yield { results: answer.ResultsByTime ?? [], names: namesIn(answer) };
}

function endless(isRepeated: boolean): Error {
  return isRepeated
    ? invalid`Cost Explorer returned the same page twice (endless paging)${fix}sync again, and connect a Data Export if the error persists`
    : invalid`Cost Explorer returned more than ${maxPages} pages for a month, each of which costs USD 0.01${fix}connect a Data Export instead (${mention('settings.bucket')})`;
}

async function ask(
  client: CostExplorerClient,
  question: GetCostAndUsageCommandInput,
  signal: AbortSignal,
): Promise<GetCostAndUsageCommandOutput> {
  return client.send(new GetCostAndUsageCommand(question), { abortSignal: signal }).catch((error: unknown) => {
    throw error instanceof AwsFault ? refusal(error) : error;
  });
}

function refusal(fault: AwsFault): Error {
  if (/^(BillExpirationException|RequestChangedException|InvalidNextTokenException)$/.test(fault.code))
    return new TryLater(`Cost Explorer's data changed while it was read (${fault.code})`);
  if (fault.code === 'DataUnavailableException')
    return invalid`Cost Explorer has no data yet (DataUnavailableException)${fix}open it once in the console of the account and wait 24 hours, or connect a Data Export`;
  if (/not enabled for cost explorer/i.test(fault.message))
    return invalid`Cost Explorer is not enabled for this account (${fault.code})${fix}enable it in the billing console, or connect a Data Export`;
  if (fault.isDenied)
    return invalid`Permission ce:GetCostAndUsage is missing (${fault.code})${fix}allow it in the policy, or connect a Data Export (${mention('settings.bucket')}). AWS: ${fault.message}`;
  return invalid`Cost Explorer rejected GetCostAndUsage (${fault.code}): ${fault.message}`;
}

function namesIn(answer: GetCostAndUsageCommandOutput): Map<string, string> {
  const attributes = answer.DimensionValueAttributes ?? [];
  return new Map(
    attributes.flatMap(({ Value, Attributes }) => {
      const name = Attributes?.['description'];
      return Value !== undefined && name ? [[Value, name] as const] : [];
    }),
  );
}
