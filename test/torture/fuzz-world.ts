import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { aLine, writeFocus } from '../support/focus.ts';
import { password, type Installation } from './installation.ts';

/** Text in all names, tags and bills of an account that restricted callers must not see. */
const hiddenMark = 'zqhidden';
/** Text in everything else of the same organization. */
const homeMark = 'zqhome';
/** Text in everything of another organization. */
const foreignMark = 'zqforeign';

/** A caller, and what no answer to it may contain. */
export interface Caller {
  readonly name: string;
  /** Of a session or an API token; null for an anonymous caller. */
  token: string | null;
  /** To sign in again. */
  readonly email: string;
  readonly forbidden: RegExp;
  /** Whether it may change the organization, including access to accounts: then its changes get no ids of existing records. */
  readonly isTrusted: boolean;
}

/** Two organizations with data, and their callers. */
export interface FuzzWorld {
  readonly callers: readonly Caller[];
  /** Ids of existing records of both organizations, by the path of their list. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** The Super Admin, who sees the hidden marks. */
  readonly owner: Caller;
}

const lists = [
  '/accounts',
  '/alert-rules',
  '/annotations',
  '/anomalies',
  '/auth/sessions',
  '/auth/tokens',
  '/budgets',
  '/channels',
  '/dashboards',
  '/inventory',
  '/invoices',
  '/metrics',
  '/org/invites',
  '/org/members',
  '/recommendations',
  '/reports',
  '/reports/schedules',
  '/tag-policies',
  '/views',
  '/virtual-tags',
];

const roles = [
  ['admin', 'admin', false],
  ['member', 'member', false],
  ['viewer', 'viewer', false],
  ['restricted admin', 'admin', true],
  ['restricted member', 'member', true],
  ['restricted viewer', 'viewer', true],
] as const;

/** Builds both organizations through the API.
 *  @param number distinguishes it from earlier worlds of the installation */
export async function buildWorld(site: Installation, number: number): Promise<FuzzWorld> {
  const home = await anOrganization(site, `${homeMark}-${number}`, [homeMark, hiddenMark]);
  const foreign = await anOrganization(site, `${foreignMark}-${number}`, [foreignMark]);
  const [open = '', hidden = ''] = home.accounts;
  await things(site, home.token, { accountId: hidden, mark: hiddenMark });
  await things(site, foreign.token, { accountId: foreign.accounts[0] ?? '', mark: foreignMark });
  const members: Caller[] = [];
  for (const [name, role, isRestricted] of roles) {
    const email = `${role}-${isRestricted ? 'restricted' : 'everywhere'}-${number}@example.com`;
    const body = { emails: [email], role, ...(isRestricted && { account_access: [open] }) };
    await site.must('/org/invite', { method: 'POST', body, token: home.token });
    const token = await accept(site, email);
    const isTrusted = role !== 'viewer' && name !== 'restricted member';
    members.push({ name, email, token, forbidden: markOf(isRestricted), isTrusted });
  }
  const restricted = members.find(({ name }) => name === 'restricted member');
  const readOnly = await aToken(site, home.token, true);
  const ofRestricted = await aToken(site, restricted?.token ?? '', false);
  const owner = { name: 'owner', ...home, forbidden: markOf(false), isTrusted: true };
  const others = /zqhidden|zqhome/i;
  return {
    owner,
    ids: await idsOf(site, [home.token, foreign.token]),
    callers: [
      { name: 'none', email: '', token: null, forbidden: /zqhidden|zqhome|zqforeign/i, isTrusted: false },
      owner,
      ...members,
      { name: 'read-only token', email: '', token: readOnly, forbidden: markOf(false), isTrusted: false },
      { name: 'restricted token', email: '', token: ofRestricted, forbidden: markOf(true), isTrusted: false },
      { name: 'outsider', ...foreign, forbidden: others, isTrusted: true },
    ],
  };
}

function markOf(isRestricted: boolean): RegExp {
  return isRestricted ? /zqhidden|zqforeign/i : /zqforeign/i;
}

async function anOrganization(site: Installation, name: string, marks: readonly string[]) {
  const person = { email: `owner-${name}@example.com`, password, name: 'Ana', organization_name: name };
  const { access_token: token } = await site.must<{ access_token: string }>('/auth/register', {
    method: 'POST',
    body: person,
    token: null,
  });
  const accounts: string[] = [];
  for (const mark of marks) {
    const folder = `${mark}-${name}`;
    await writeFocus(path.join(site.focusRoot, folder, 'bill.csv'), billOf(mark));
    const body = { name: `${mark} account`, provider: 'focus', settings: { path: folder } };
    const { id } = await site.must<{ id: string }>('/accounts', { method: 'POST', body, token });
    accounts.push(id);
    await synced(site, id, token);
  }
  return { email: person.email, token, accounts };
}

async function synced(site: Installation, id: string, token: string): Promise<void> {
  for (let polls = 0; polls < 600; polls++) {
    const account = await site.must<{ sync_status: string; last_sync_error: string }>(`/accounts/${id}`, { token });
    if (account.sync_status === 'succeeded') return;
    if (account.sync_status === 'failed') throw new Error(account.last_sync_error);
    await sleep(100);
  }
  throw new Error('a sync did not end within a minute');
}

/** A bill with the mark in every text column. */
function billOf(mark: string) {
  const texts = [
    'ServiceName',
    'RegionId',
    'RegionName',
    'SubAccountId',
    'SubAccountName',
    'ResourceName',
    'ResourceType',
  ];
  const more = [
    'SkuId',
    'SkuPriceId',
    'ChargeDescription',
    'InvoiceIssuerName',
    'BillingAccountId',
    'BillingAccountName',
  ];
  const columns = Object.fromEntries([...texts, ...more].map((name) => [name, `${mark} ${name}`]));
  return Array.from({ length: 90 }, (_, index) =>
    aLine({
      day: `2026-0${3 + Math.floor(index / 30)}-${String(1 + (index % 28)).padStart(2, '0')}`,
      cost: index === 80 ? '5000' : `${10 + (index % 7)}`,
      ...columns,
      ResourceId: `${mark}-vm-${index % 5}`,
      Tags: JSON.stringify({ [`${mark}key`]: `${mark} value`, team: `${mark} team` }),
    }),
  );
}

/** Creates records of an account with the mark in their names. */
async function things(
  site: Installation,
  token: string,
  { accountId, mark }: { accountId: string; mark: string },
): Promise<void> {
  const post = (at: string, body: object) => site.must(at, { method: 'POST', body, token });
  const account = { account_id: accountId };
  await post('/budgets', { name: `${mark} budget`, amount: 5, currency: 'USD', ...account });
  await post('/alert-rules', { name: `${mark} rule`, metric: 'daily_cost', operator: 'gt', threshold: 1, ...account });
  await post('/tag-policies', { name: `${mark} policy`, rules: [{ key: `${mark}key` }], ...account });
  await post('/annotations', { start_date: '2026-05-11', text: `${mark} note`, ...account });
  await post('/reports', { type: 'cost_by_service', format: 'csv', filters: account });
  await post('/views', {
    name: `${mark} view`,
    page: 'costs',
    query: { service: [`${mark} service`] },
    visibility: 'private',
  });
}

/** Accepts an invitation, whose link is in the outbox. */
async function accept(site: Installation, email: string): Promise<string> {
  const folder = path.join(site.dataDir, 'outbox');
  for (let polls = 0; polls < 300; polls++) {
    const names = await fs.readdir(folder).catch(() => []);
    for (const name of names
      .filter((each) => each.endsWith('.eml'))
      .toSorted()
      .toReversed()) {
      const mail = await PostalMime.parse(await fs.readFile(path.join(folder, name)));
      const invite = /[?&]token=([\w%.-]+)/.exec(mail.text ?? '')?.[1];
      if (!invite || !mail.to?.some(({ address }) => address === email)) continue;
      const body = { email, password, name: 'Kim', invite_token: decodeURIComponent(invite) };
      const answer = await site.must<{ access_token: string }>('/auth/register', { method: 'POST', body, token: null });
      return answer.access_token;
    }
    await sleep(100);
  }
  throw new Error(`no invitation for ${email} arrived`);
}

async function aToken(site: Installation, token: string, isReadOnly: boolean): Promise<string> {
  const body = { name: 'fuzz', read_only: isReadOnly };
  return (await site.must<{ token: string }>('/auth/tokens', { method: 'POST', body, token })).token;
}

async function idsOf(site: Installation, tokens: readonly string[]): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const list of lists) {
    const found: string[] = [];
    for (const token of tokens) {
      const { data } = await site.must<{ data: { id: string }[] }>(`${list}?per_page=20`, { token });
      found.push(...data.map(({ id }) => id));
    }
    ids.set(list, found);
  }
  return ids;
}
