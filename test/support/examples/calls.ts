import { createServer } from 'node:http';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateSync } from 'otplib';
import type { Deps } from '../../../src/kit/deps.ts';
import { addDays, addMonths, dayOf, daysIn, firstDay, lastDay, monthOf } from '../../../src/kit/time/period.ts';
import { SoftwareAuthenticator } from '../authenticator.ts';
import type { Recorder } from './recorder.ts';

/** The signed-up user of the demo. */
export interface Demo {
  readonly deps: Deps;
  readonly email: string;
  readonly password: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  challenge_token: string;
}
type Listed = { data: { id: string }[] };

const password = 'plum kite orbit';
const lee = { email: 'lee@example.com', password, name: 'Lee Park' };
const kim = { email: 'kim@example.com', password, name: 'Kim Weber' };

/** Calls every operation once, with plausible arguments. */
export async function callEach(recorder: Recorder, demo: Demo): Promise<void> {
  const { email } = demo;
  const login = await recorder.ask<Tokens>('login', { body: { email, password: demo.password } });
  recorder.token = login.access_token;
  await recorder.ask('me');
  await recorder.ask('updateMe', { body: { name: 'Robin Demo' } });
  const accountId = await accounts(recorder, demo);
  await costs(recorder, demo);
  await metrics(recorder, demo);
  await invoices(recorder);
  await findings(recorder);
  await rules(recorder, accountId);
  await reports(recorder, demo);
  await views(recorder);
  await annotations(recorder);
  await notifications(recorder);
  await organization(recorder, demo, accountId);
  await authentication(recorder, demo);
  await ownership(recorder, demo);
}

async function accounts(recorder: Recorder, { deps }: Demo): Promise<string> {
  const listed = await recorder.ask<Listed>('accounts', { query: { per_page: 2, sort_by: 'name' } });
  const accountId = listed.data[0]?.id ?? '';
  await recorder.ask('account', { path: { id: accountId } });
  await recorder.ask('accountSyncs', { path: { id: accountId }, query: { per_page: 2 } });
  await recorder.ask('accountSetup', { query: { provider: 'aws', bucket: 'acme-billing', region: 'eu-central-1' } });
  const folder = path.join(deps.config.dataDir, 'exports', 'on-premises');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'bill.csv'), 'BilledCost\n');
  const body = { name: 'On-premises', provider: 'focus', settings: { path: 'on-premises' } };
  const { id } = await recorder.ask('connectAccount', { body });
  await recorder.ask('updateAccount', { path: { id }, body: { name: 'Data center' } });
  await recorder.ask('syncAccount', { path: { id } });
  await recorder.ask('cancelSync', { path: { id } }).catch(() => recorder.note('cancelSync', { path: { id } }));
  await recorder.ask('disconnectAccount', { path: { id }, query: { purge: true } });
  await uploads(recorder);
  await recorder.ask('loadSampleData');
  await recorder.ask('removeSampleData');
  return accountId;
}

async function uploads(recorder: Recorder): Promise<void> {
  const body = { name: 'Uploads', provider: 'focus', settings: { source: 'uploads' } };
  const { id } = await recorder.call<{ id: string }>('connectAccount', { body });
  const bill = { path: { id }, query: { name: '2026-10.csv' }, body: 'BilledCost\n' };
  const file = await recorder.call<{ id: string }>('uploadAccountFile', bill);
  await recorder.ask('accountFiles', { path: { id } });
  const one = { path: { id, file_id: file.id } };
  await recorder.ask('accountFile', one);
  await recorder.ask('deleteAccountFile', one);
}

async function costs(recorder: Recorder, { deps }: Demo): Promise<void> {
  const today = dayOf(deps.clock.now());
  const month = addMonths(monthOf(today), -1);
  const range = { start_date: firstDay(month), end_date: lastDay(month) };
  await recorder.ask('costs', {
    query: { ...range, group_by: 'service,tag:team', provider: 'aws', compare: 'previous_period', limit: 2 },
  });
  for (const view of ['costsByAccount', 'costsByRegion', 'costsByService', 'costsDaily'])
    await recorder.ask(view, { query: { ...range, provider: 'aws' } });
  await recorder.ask('costsByTag', { query: { ...range, tag_key: 'team' } });
  await recorder.ask('costsSummary', { query: { granularity: 'monthly' } });
  await recorder.ask('costsTrend', { query: { cost_metric: 'billed' } });
  await recorder.ask('costDimensionValues', { path: { dimension: 'service' }, query: { search: 'storage', limit: 2 } });
  await recorder.askFile('exportCosts', { query: { format: 'focus_csv', ...range } });
  const covered = { start_date: addDays(today, -30), end_date: addDays(today, -1) };
  await recorder.ask('coverage', { query: covered });
  await recorder.ask('coverageDaily', { query: { provider: 'aws' } });
  await recorder.ask('coverageGaps', { query: { ...covered, per_page: 2 } });
  await recorder.ask('coveragePlanner', { query: { provider: 'aws' } });
  await recorder.ask('forecast', { query: { provider: 'aws' } });
  await recorder.ask('forecastAccuracy');
}

async function metrics(recorder: Recorder, { deps }: Demo): Promise<void> {
  const month = addMonths(monthOf(dayOf(deps.clock.now())), -1);
  const [start, end] = [firstDay(month), lastDay(month)];
  const body = { key: 'checkouts', name: 'Checkouts', unit: 'checkout' };
  const { id } = await recorder.ask('createUnitMetric', { body });
  const one = { path: { id } };
  const labels = { channel: 'web' };
  const values = daysIn({ start, end: addDays(end, 1) }).map((date) => ({ date, value: 48_210, labels }));
  await recorder.call('setUnitMetricValues', { ...one, body: values });
  await recorder.ask('setUnitMetricValues', {
    ...one,
    body: values.slice(0, 2).map((each) => ({ ...each, value: 51_877 })),
  });
  await recorder.ask('unitMetrics', { query: { per_page: 2 } });
  await recorder.ask('unitMetric', one);
  await recorder.ask('unitMetricValues', { ...one, query: { per_page: 2 } });
  await recorder.ask('unitCost', { query: { metric: body.key, start_date: start, end_date: end, provider: 'aws' } });
  await recorder.ask('updateUnitMetric', { ...one, body: { name: 'Completed checkouts' } });
  const range = { start_date: start, end_date: start };
  await recorder.ask('deleteUnitMetricValues', { ...one, query: range });
  const made = await recorder.call<{ id: string }>('createUnitMetric', { body: { ...body, key: 'visits' } });
  await recorder.ask('deleteUnitMetric', { path: { id: made.id } });
}

async function invoices(recorder: Recorder): Promise<void> {
  const query = { sort_by: '-billed_amount', per_page: 2 };
  const { data } = await recorder.ask<Listed>('invoices', { query });
  const one = { path: { id: data[0]?.id ?? '' } };
  await recorder.ask('invoice', one);
  await recorder.ask('setInvoiceAmount', { ...one, body: { stated_amount: 38_412.57, currency: 'USD' } });
  await recorder.ask('deleteInvoiceAmount', { ...one, query: { if_typed_amount: 38_412.57 } });
}

async function findings(recorder: Recorder): Promise<void> {
  const inventory = await recorder.ask<Listed>('inventory', { query: { sort_by: '-cost_last_30_days', per_page: 2 } });
  await recorder.ask('inventoryResource', { path: { id: inventory.data[0]?.id ?? '' } });
  await recorder.ask('inventorySummary', { query: { provider: 'aws' } });
  await recorder.ask('tags', { query: { sort_by: '-cost_last_30_days', per_page: 2 } });
  await recorder.ask('tagViolations', { query: { problem: 'missing', per_page: 2 } });
  const anomalies = await recorder.ask<Listed>('anomalies', { query: { sort_by: '-impact', per_page: 2 } });
  const anomaly = { path: { id: anomalies.data[0]?.id ?? '' } };
  await recorder.ask('anomaly', anomaly);
  await recorder.ask('updateAnomaly', {
    ...anomaly,
    body: { status: 'resolved', status_reason: 'A retry loop; fixed.' },
  });
  await recorder.ask('updateAnomalies', { body: { ids: [anomaly.path.id], note: 'Reported to the provider.' } });
  const query = { status: 'open', sort_by: '-estimated_monthly_savings', per_page: 2 };
  const recommendations = await recorder.ask<Listed>('recommendations', { query });
  const recommendation = { path: { id: recommendations.data[0]?.id ?? '' } };
  await recorder.ask('recommendation', recommendation);
  await recorder.ask('recommendationsSummary', { query: { provider: 'aws' } });
  await recorder.ask('updateRecommendation', { ...recommendation, body: { snooze_days: 14 } });
  await recorder.ask('updateRecommendations', { body: { ids: [recommendation.path.id], note: 'Planned for May.' } });
}

async function rules(recorder: Recorder, accountId: string): Promise<void> {
  const budget = {
    name: 'Production',
    amount: 75_000,
    currency: 'USD',
    account_id: accountId,
    period: 'quarterly',
    tag_key: 'virtual:team',
    tag_value: 'storefront',
    alert_thresholds: [80, 100],
  };
  await crud(recorder, 'Budget', { ...budget, emails: ['finops@example.com'] }, { amount: 90_000 });
  const rule = {
    name: 'Daily spend of data',
    metric: 'daily_cost',
    operator: 'gte',
    threshold: 500,
    tag_key: 'team',
    tag_value: 'data',
  };
  await crud(recorder, 'AlertRule', rule, { threshold: 750 });
  const policy = {
    name: 'Owned resources',
    rules: [{ key: 'team', allowed_values: ['data', 'web'] }],
    provider: 'aws',
  };
  await recorder.ask('tagPolicies', { query: { per_page: 2 } });
  const { id } = await recorder.ask('createTagPolicy', { body: policy });
  await recorder.ask('tagPolicy', { path: { id } });
  await recorder.ask('updateTagPolicy', { path: { id }, body: { enabled: false } });
  await recorder.ask('deleteTagPolicy', { path: { id } });
  await virtualTags(recorder);
}

async function virtualTags(recorder: Recorder): Promise<void> {
  const teams = [
    { value: 'web', conditions: [{ dimension: 'tag:application', operator: 'in', values: ['web-shop'] }] },
    { value_from: { dimension: 'tag:team', transform: 'lower' } },
  ];
  const splits = [{ name: 'Shared platform', source_values: ['platform'], method: 'proportional' }];
  await recorder.ask('previewVirtualTag', { body: { rules: teams } });
  await recorder.ask('virtualTags', { query: { per_page: 2 } });
  const { id } = await recorder.ask('createVirtualTag', { body: { name: 'Product', rules: teams, splits } });
  await recorder.ask('virtualTag', { path: { id } });
  await recorder.ask('updateVirtualTag', { path: { id }, body: { splits: [] } });
  await recorder.ask('deleteVirtualTag', { path: { id } });
}

async function crud(recorder: Recorder, type: 'Budget' | 'AlertRule', body: object, change: object): Promise<void> {
  const one = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  await recorder.ask(`${one}s`, { query: { sort_by: 'name', per_page: 2 } });
  const { id } = await recorder.ask(`create${type}`, { body });
  await recorder.ask(one, { path: { id } });
  await recorder.ask(`update${type}`, { path: { id }, body: change });
  await recorder.ask(`delete${type}`, { path: { id } });
}

async function reports(recorder: Recorder, { deps }: Demo): Promise<void> {
  const month = addMonths(monthOf(dayOf(deps.clock.now())), -1);
  const range = { start_date: firstDay(month), end_date: lastDay(month) };
  await recorder.ask('reports', { query: { format: 'xlsx', per_page: 2 } });
  const body = { type: 'cost_by_service', format: 'csv', ...range, filters: { provider: ['aws'] } };
  const { id } = await recorder.ask('createReport', { body });
  await recorder.ask('report', { path: { id } });
  const { id: asJson } = await recorder.call<{ id: string }>('createReport', { body: { ...body, format: 'json' } });
  for (const one of [id, asJson]) {
    await untilReady(recorder, one);
    await recorder.askFile('downloadReport', { path: { id: one } });
  }
  await recorder.ask('reportSchedules', { query: { enabled: true } });
  const timing = { frequency: 'weekly', day: 1, hour: 7, time_zone: 'Europe/Berlin' };
  const schedule = {
    name: 'Weekly costs',
    type: 'cost_summary',
    format: 'pdf',
    ...timing,
    recipients: ['finops@example.com'],
  };
  const made = await recorder.ask('createReportSchedule', { body: schedule });
  await recorder.ask('reportSchedule', { path: { id: made.id } });
  await recorder.ask('updateReportSchedule', { path: { id: made.id }, body: { hour: 9 } });
  await recorder.ask('sendReportSchedule', { path: { id: made.id } });
  await recorder.ask('deleteReportSchedule', { path: { id: made.id } });
}

async function annotations(recorder: Recorder): Promise<void> {
  const { id } = await recorder.ask('createAnnotation', {
    body: { start_date: '2026-05-11', text: 'Migration to Graviton began' },
  });
  const annotation = { path: { id } };
  await recorder.ask('annotations', { query: { start_date: '2026-05-01', end_date: '2026-05-31' } });
  await recorder.ask('annotation', annotation);
  await recorder.ask('updateAnnotation', { ...annotation, body: { end_date: '2026-05-22' } });
  await recorder.ask('deleteAnnotation', annotation);
}

async function views(recorder: Recorder): Promise<void> {
  const query = { group: 'service', provider: ['aws', 'gcp'] };
  const { id } = await recorder.ask('createSavedView', {
    body: { name: 'AWS and Google Cloud by service', page: 'costs', query, visibility: 'organization' },
  });
  const view = { path: { id } };
  await recorder.ask('savedViews', { query: { pages: 'costs', per_page: 2 } });
  await recorder.ask('savedView', view);
  await recorder.ask('updateSavedView', { ...view, body: { query: { ...query, granularity: 'monthly' } } });
  const widgets = [
    { view_id: id, chart: 'area', x: 0, y: 0, w: 8, h: 4 },
    { query: { provider: 'aws' }, chart: 'number', title: 'AWS', x: 8, y: 0, w: 4, h: 2 },
  ];
  const made = await recorder.ask('createDashboard', { body: { name: 'Cloud platform', widgets } });
  const dashboard = { path: { id: made.id } };
  await recorder.ask('dashboards', { query: { per_page: 2 } });
  await recorder.ask('dashboard', dashboard);
  await recorder.ask('updateDashboard', { ...dashboard, body: { visibility: 'organization' } });
  await recorder.ask('updateDefaultDashboard', { body: { own: 'overview', organization: made.id } });
  await recorder.ask('defaultDashboard');
  await recorder.ask('deleteDashboard', dashboard);
  await recorder.ask('deleteSavedView', view);
}

async function untilReady(recorder: Recorder, id: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { status } = await recorder.call<{ status: string }>('report', { path: { id } });
    if (status === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`The report ${id} did not become ready`);
}

async function notifications(recorder: Recorder): Promise<void> {
  const chat = createServer((_req, res) => res.end('ok'));
  await new Promise<void>((resolve) => chat.listen(4791, '127.0.0.1', resolve));
  await recorder.ask('notificationPreferences');
  const body = { email: { reports: true }, slack: { budget_alerts: true }, additional_emails: ['finops@example.com'] };
  await recorder.ask('updateNotificationPreferences', { body });
  await recorder.ask('setSlackWebhook', { body: { url: 'http://127.0.0.1:4791/services/T000/B000/XXXX' } });
  await recorder.ask('testSlack');
  await recorder.call('setSlackWebhook', { body: { url: null } });
  await channels(recorder);
  await recorder.ask('notifications', { query: { per_page: 2 } });
  chat.close();
}

async function organization(recorder: Recorder, { deps }: Demo, accountId: string): Promise<void> {
  await recorder.ask('organization');
  await recorder.ask('updateOrganization', { body: { billing_email: 'billing@example.com' } });
  await recorder.ask('exchangeRates');
  const month = addMonths(monthOf(dayOf(deps.clock.now())), -1);
  await recorder.ask('setExchangeRates', { body: { rates: [{ month, from: 'CHF', to: 'USD', rate: 1.0839 }] } });
  await recorder.ask('auditLogs', { query: { action: 'login', per_page: 2 } });
  const invited = { emails: [lee.email], role: 'admin' };
  await recorder.ask('inviteMembers', { body: { emails: [kim.email], role: 'member', account_access: [accountId] } });
  await recorder.call('inviteMembers', { body: invited });
  // Not a user whose mail is read below: of several mails within a second, the latest is unknown.
  await recorder.call('inviteMembers', { body: { emails: ['max@example.com'], role: 'viewer' } });
  const query = { status: 'pending', sort_by: '-email', per_page: 2 };
  const { data } = await recorder.ask<Listed>('invites', { query });
  const max = { path: { id: data[0]?.id ?? '' } };
  await recorder.ask('resendInvite', max);
  await recorder.ask('revokeInvite', max);
  await recorder.ask('register', { body: { ...lee, organization_name: 'Juniper Labs' } });
  await recorder.call('register', { body: { ...kim, invite_token: await mailedToken(deps, kim.email, 'invite') } });
  const members = await recorder.ask<{ data: { id: string; user: { email: string } }[] }>('members', {
    query: { sort_by: 'name' },
  });
  const id = members.data.find(({ user }) => user.email === kim.email)?.id ?? '';
  await recorder.ask('member', { path: { id } });
  await recorder.ask('updateMember', { path: { id }, body: { role: 'viewer', account_access: [accountId] } });
  await recorder.ask('unlockMember', { path: { id } });
  await recorder.ask('removeMember', { path: { id } });
}

/** The token in the link of the latest mail to an address. */
async function mailedToken(deps: Deps, to: string, page: 'invite' | 'reset-password'): Promise<string> {
  const link = new RegExp(`/${page}\\?token=([\\w-]+)`);
  const folder = path.join(deps.config.dataDir, 'outbox');
  for (let attempt = 0; attempt < 100; attempt++) {
    // Files that are still being written end in .part.
    const names = (await readdir(folder))
      .filter((name) => name.endsWith('.eml'))
      .toSorted()
      .toReversed();
    const mails = await Promise.all(names.slice(0, 12).map((name) => readFile(path.join(folder, name), 'utf8')));
    const mail = mails.find((text) => text.includes(`To: ${to}`) && link.test(unfolded(text)));
    const token = mail && link.exec(unfolded(mail))?.[1];
    if (token) return token;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`No mail with a link came to ${to}`);
}

function unfolded(quotedPrintable: string): string {
  return quotedPrintable.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
}

async function authentication(recorder: Recorder, { deps }: Demo): Promise<void> {
  const logIn = async () => (recorder.token = (await recorder.call<Tokens>('login', { body: lee_ })).access_token);
  const lee_ = { email: lee.email, password };
  await logIn();
  const me = await recorder.call<{ organization: { id: string } }>('me');
  const accepted = await recorder.ask<Tokens>('acceptInvite', {
    body: { invite_token: await mailedToken(deps, lee.email, 'invite') },
  });
  recorder.token = accepted.access_token ?? recorder.token;
  await recorder.ask('sessions');
  const switched = await recorder.ask<Tokens>('switchOrganization', { body: { organization_id: me.organization.id } });
  recorder.token = switched.access_token;
  await tokens(recorder);
  await passkeys(recorder, deps);
  await twoFactor(recorder, logIn, lee_);
  const changed = { password, new_password: 'amber lake violin' };
  await recorder.ask('changePassword', { body: changed });
  await recorder.ask('forgotPassword', { body: { email: lee.email } });
  await recorder.ask('resetPassword', {
    body: { token: await mailedToken(deps, lee.email, 'reset-password'), password },
  });
  const again = await recorder.call<Tokens>('login', { body: lee_ });
  const refreshed = await recorder.ask<Tokens>('refresh', { body: { refresh_token: again.refresh_token } });
  recorder.token = refreshed.access_token;
  await recorder.ask('logout', { body: { refresh_token: refreshed.refresh_token } });
  await logIn();
  await recorder.call('login', { body: lee_ });
  const sessions = await recorder.call<{ data: { id: string; current: boolean }[] }>('sessions');
  const other = sessions.data.find((session) => !session.current);
  await recorder.ask('revokeSession', { path: { id: other?.id ?? '' } });
  const { organization: own } = await recorder.call<{ organization: { id: string } }>('me');
  if (own.id === me.organization.id) await recorder.ask('deleteOrganization', { body: { password } });
}

async function tokens(recorder: Recorder): Promise<void> {
  const body = {
    name: 'Nightly export',
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    read_only: true,
  };
  const { id } = await recorder.ask('createApiToken', { body });
  await recorder.ask('apiTokens');
  await recorder.ask('revokeApiToken', { path: { id } });
}

async function passkeys(recorder: Recorder, deps: Deps): Promise<void> {
  const authenticator = new SoftwareAuthenticator(deps.config.publicUrl);
  type Step = { options: Parameters<SoftwareAuthenticator['create']>[0] & { rpId: string } };
  const { options } = await recorder.ask<Step>('registerPasskey');
  const body = { name: 'Laptop', response: authenticator.create(options) };
  await recorder.ask('registerPasskey', { body });
  const { data } = await recorder.ask<Listed>('passkeys');
  const id = data[0]?.id ?? '';
  await recorder.ask('updatePasskey', { path: { id }, body: { name: 'Work laptop' } });
  const asked = await recorder.call<Step>('authenticateWithPasskey', { body: { email: lee.email } });
  await recorder.ask('authenticateWithPasskey', { body: { response: authenticator.get(asked.options) } });
  await recorder.ask('deletePasskey', { path: { id } });
}

async function twoFactor(recorder: Recorder, logIn: () => Promise<string>, body: object): Promise<void> {
  await logIn();
  const { secret } = await recorder.ask<{ secret: string }>('setUpTwoFactor');
  const code = generateSync({ secret });
  const { recovery_codes: codes } = await recorder.ask<{ recovery_codes: string[] }>('confirmTwoFactor', {
    body: { code },
  });
  const { challenge_token } = await recorder.call<Tokens>('login', { body });
  const verified = await recorder.ask<Tokens>('verifyTwoFactor', { body: { challenge_token, code: codes[0] } });
  recorder.token = verified.access_token;
  const renewed = await recorder.ask<{ recovery_codes: string[] }>('renewRecoveryCodes', {
    body: { password, code: codes[1] },
  });
  await recorder.ask('disableTwoFactor', { body: { password, code: renewed.recovery_codes[0] } });
}

async function ownership(recorder: Recorder, demo: Demo): Promise<void> {
  const { access_token } = await recorder.call<Tokens>('login', {
    body: { email: demo.email, password: demo.password },
  });
  recorder.token = access_token;
  const { data } = await recorder.call<{ data: { id: string; user: { email: string } }[] }>('members');
  const id = data.find(({ user }) => user.email === lee.email)?.id ?? '';
  await recorder.ask('transferOwnership', { body: { member_id: id, password: demo.password } });
}

async function channels(recorder: Recorder): Promise<void> {
  const url = 'http://127.0.0.1:4791/services/T000/B000/XXXX';
  const body = { name: 'Cost alerts', kind: 'slack', url, anomaly_alerts: true };
  const { id } = await recorder.ask('createChannel', { body });
  const one = { path: { id } };
  await recorder.ask('channels', { query: { per_page: 2 } });
  await recorder.ask('testChannel', one);
  await recorder.ask('channel', one);
  await recorder.ask('updateChannel', { ...one, body: { enabled: false } });
  await recorder.ask('deleteChannel', one);
  const made = await recorder.call<{ id: string }>('createChannel', { body: { ...body, kind: 'webhook' } });
  await recorder.ask('rotateChannelSecret', { path: { id: made.id } });
  await recorder.call('deleteChannel', { path: { id: made.id } });
}
