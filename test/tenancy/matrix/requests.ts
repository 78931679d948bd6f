import { Role } from '../../../prisma/generated/client/enums.ts';
import { addressRowId, secretRowId } from '../../../src/actions/notifications/channels/channel.ts';
import { newId } from '../../../src/kit/ids.ts';
import { linkTokenHash, newLinkToken } from '../../../src/tenancy/mail/queue-mail.ts';
import { invoiceId } from '../../support/invoices.ts';
import { consoleRequests } from './console-requests.ts';
import { password, type Request, type Stage } from './stage.ts';

const day = new Date('2026-05-01T00:00:00Z');
const aCondition = { name: 'Too much', metric: 'daily_cost', operator: 'gt', threshold: 100 };
const nothing: Request = () => ({});
const aReport = { type: 'cost_by_service', format: 'csv' };
const mine: Request = ({ mine: id }) => ({ id });
const theirs: Request = ({ theirs: id }) => ({ id });
const member: Request = ({ other }) => ({ id: other.membershipId });

/** Requests by row name: a root field, with a word for the case if it has several rows. */
export const requests: Readonly<Record<string, Request>> = {
  ...consoleRequests,
  account: mine,
  'account theirs': theirs,
  accountFile: anUpload('mine'),
  'accountFile theirs': anUpload('theirs'),
  accountFiles: mine,
  'accountFiles theirs': theirs,
  deleteAccountFile: anUpload('mine'),
  'deleteAccountFile theirs': anUpload('theirs'),
  uploadAccountFile: takingUploads('mine'),
  'uploadAccountFile theirs': takingUploads('theirs'),
  accountSyncs: mine,
  'accountSyncs theirs': theirs,
  accountSetup: () => ({ provider: 'aws' }),
  accounts: nothing,
  anomalies: nothing,
  anomaly: anAnomaly('mine'),
  'anomaly theirs': anAnomaly('theirs'),
  acceptInvite: async (stage) => ({ inviteToken: await anInviteElsewhere(stage) }),
  apiTokens: nothing,
  auditLogs: nothing,
  authenticateWithPasskey: nothing,
  cancelSync: queued('mine'),
  'cancelSync theirs': queued('theirs'),
  changePassword: () => ({ password, newPassword: 'orbit plum kite' }),
  confirmTwoFactor: () => ({ code: '000000' }),
  connectAccount: () => ({ name: 'May', provider: 'focus', settings: { path: 'may' } }),
  alertRule: aRule(null),
  'alertRule mine': aRule('mine'),
  'alertRule theirs': aRule('theirs'),
  alertRules: nothing,
  budget: aBudget(null),
  'budget mine': aBudget('mine'),
  'budget theirs': aBudget('theirs'),
  budgets: nothing,
  createAlertRule: () => aCondition,
  'createAlertRule mine': ({ mine: id }) => ({ ...aCondition, accountId: id }),
  'createAlertRule theirs': ({ theirs: id }) => ({ ...aCondition, accountId: id }),
  createBudget: () => ({ name: 'Cloud', amount: 100 }),
  'createBudget mine': ({ mine: id }) => ({ name: 'Cloud', amount: 100, accountId: id }),
  'createBudget theirs': ({ theirs: id }) => ({ name: 'Cloud', amount: 100, accountId: id }),
  deleteAlertRule: aRule(null),
  'deleteAlertRule mine': aRule('mine'),
  'deleteAlertRule theirs': aRule('theirs'),
  deleteBudget: aBudget(null),
  'deleteBudget mine': aBudget('mine'),
  'deleteBudget theirs': aBudget('theirs'),
  updateAlertRule: async (stage) => ({ ...(await aRule(null)(stage)), enabled: false }),
  'updateAlertRule mine': async (stage) => ({ ...(await aRule('mine')(stage)), enabled: false }),
  'updateAlertRule theirs': async (stage) => ({ ...(await aRule('theirs')(stage)), enabled: false }),
  updateBudget: async (stage) => ({ ...(await aBudget(null)(stage)), name: 'Ours' }),
  'updateBudget mine': async (stage) => ({ ...(await aBudget('mine')(stage)), name: 'Ours' }),
  'updateBudget theirs': async (stage) => ({ ...(await aBudget('theirs')(stage)), name: 'Ours' }),
  costsByAccount: nothing,
  costsByRegion: nothing,
  costsByService: nothing,
  costsByTag: () => ({ tagKey: 'team' }),
  costsDaily: nothing,
  costsSummary: nothing,
  costsTrend: nothing,
  costs: nothing,
  costDimensionValues: () => ({ dimension: 'service' }),
  exportCosts: nothing,
  coverage: nothing,
  coverageDaily: nothing,
  coverageGaps: nothing,
  coveragePlanner: nothing,
  invoices: nothing,
  invoice: anInvoice('mine'),
  'invoice theirs': anInvoice('theirs'),
  setInvoiceAmount: async (stage) => ({ ...(await anInvoice('mine')(stage)), statedAmount: 10 }),
  'setInvoiceAmount theirs': async (stage) => ({ ...(await anInvoice('theirs')(stage)), statedAmount: 10 }),
  deleteInvoiceAmount: anInvoice('mine'),
  'deleteInvoiceAmount theirs': anInvoice('theirs'),
  forecast: nothing,
  forecastAccuracy: nothing,
  recommendation: aRecommendation('mine'),
  'recommendation theirs': aRecommendation('theirs'),
  recommendations: nothing,
  recommendationsSummary: nothing,
  createApiToken: () => ({ name: 'CI' }),
  createReport: () => aReport,
  'createReport mine': ({ mine: id }) => ({ ...aReport, filters: { accountId: id } }),
  'createReport theirs': ({ theirs: id }) => ({ ...aReport, filters: { accountId: [id] } }),
  deleteReportSchedule: aSchedule(null),
  'deleteReportSchedule mine': aSchedule('mine'),
  'deleteReportSchedule other': aSchedule('other'),
  'deleteReportSchedule theirs': aSchedule('theirs'),
  sendReportSchedule: aSchedule(null),
  'sendReportSchedule mine': aSchedule('mine'),
  'sendReportSchedule other': aSchedule('other'),
  'sendReportSchedule theirs': aSchedule('theirs'),
  updateReportSchedule: async (stage) => ({ ...(await aSchedule(null)(stage)), hour: 9 }),
  'updateReportSchedule mine': async (stage) => ({ ...(await aSchedule('mine')(stage)), hour: 9 }),
  'updateReportSchedule other': async (stage) => ({ ...(await aSchedule('other')(stage)), hour: 9 }),
  'updateReportSchedule theirs': async (stage) => ({ ...(await aSchedule('theirs')(stage)), hour: 9 }),
  createReportSchedule: () => ({ ...daily }),
  'createReportSchedule theirs': ({ theirs: id }) => ({ ...daily, filters: { accountId: id } }),
  createVirtualTag: () => ({ name: 'Team', rules: [virtualRule] }),
  previewVirtualTag: () => ({ rules: [virtualRule] }),
  createTagPolicy: () => ({ name: 'Teams', rules: [{ key: 'team' }] }),
  'createTagPolicy mine': ({ mine: id }) => ({ name: 'Teams', rules: [{ key: 'team' }], accountId: id }),
  'createTagPolicy theirs': ({ theirs: id }) => ({ name: 'Teams', rules: [{ key: 'team' }], accountId: id }),
  deleteOrganization: () => ({ password }),
  deletePasskey: aPasskey,
  deleteVirtualTag: aVirtualTag,
  deleteTagPolicy: aPolicy(null),
  'deleteTagPolicy mine': aPolicy('mine'),
  'deleteTagPolicy theirs': aPolicy('theirs'),
  downloadReport: aFile(null),
  'downloadReport mine': aFile('mine'),
  'downloadReport theirs': aFile('theirs'),
  disableTwoFactor: () => ({ password, code: '000000' }),
  loadSampleData: nothing,
  removeSampleData: nothing,
  disconnectAccount: mine,
  'disconnectAccount theirs': theirs,
  exchangeRates: nothing,
  forgotPassword: ({ user }) => ({ email: user.email }),
  inventory: nothing,
  inventoryResource: aResource('mine'),
  'inventoryResource theirs': aResource('theirs'),
  inventorySummary: nothing,
  inviteMembers: () => ({ emails: ['new@example.com'], role: 'viewer' }),
  'inviteMembers mine': ({ mine: id }) => ({ emails: ['new@example.com'], role: 'viewer', accountAccess: [id] }),
  'inviteMembers theirs': ({ theirs: id }) => ({ emails: ['new@example.com'], role: 'viewer', accountAccess: [id] }),
  invites: nothing,
  login: ({ owner }) => ({ email: owner.email, password }),
  logout: ({ session }) => ({ refreshToken: session.refreshToken }),
  me: nothing,
  member,
  members: nothing,
  organization: nothing,
  passkeys: nothing,
  refresh: ({ session }) => ({ refreshToken: session.refreshToken }),
  register: () => ({ email: `${newId(new Date())}@example.com`, password, name: 'Bo', organizationName: 'Kite' }),
  registerPasskey: nothing,
  removeMember: member,
  'removeMember owner': async (stage) => ({ id: await ownerOf(stage) }),
  renewRecoveryCodes: () => ({ password }),
  report: aFile(null),
  'report mine': aFile('mine'),
  'report theirs': aFile('theirs'),
  reportSchedule: aSchedule(null),
  'reportSchedule mine': aSchedule('mine'),
  'reportSchedule theirs': aSchedule('theirs'),
  reportSchedules: nothing,
  reports: nothing,
  resendInvite: async (stage) => ({ id: (await anInvite(stage, 'new@example.com')).id }),
  resetPassword: aReset,
  revokeApiToken: aToken,
  revokeInvite: async (stage) => ({ id: (await anInvite(stage, 'new@example.com')).id }),
  revokeSession: ({ session }) => ({ id: session.id }),
  sessions: nothing,
  setExchangeRates: () => ({ rates: [{ month: '2026-05', from: 'EUR', to: 'USD', rate: 1.1 }] }),
  setUpTwoFactor: nothing,
  switchOrganization: ({ organizationId }) => ({ organizationId }),
  syncAccount: mine,
  'syncAccount theirs': theirs,
  virtualTags: nothing,
  virtualTag: aVirtualTag,
  tagPolicies: nothing,
  tagPolicy: aPolicy(null),
  'tagPolicy mine': aPolicy('mine'),
  'tagPolicy theirs': aPolicy('theirs'),
  tagViolations: nothing,
  tags: nothing,
  transferOwnership: ({ other }) => ({ memberId: other.membershipId, password }),
  unitCost: async (stage) => {
    await aMetric(stage);
    return { metric: 'orders' };
  },
  unitMetric: aMetric,
  unitMetrics: nothing,
  unitMetricValues: aMetric,
  createUnitMetric: () => ({ key: 'visits', name: 'Visits', unit: 'visit' }),
  updateUnitMetric: async (stage) => ({ ...(await aMetric(stage)), name: 'Sales' }),
  deleteUnitMetric: aMetric,
  setUnitMetricValues: async (stage) => ({ ...(await aMetric(stage)), values: [{ date: '2026-05-01', value: 3 }] }),
  deleteUnitMetricValues: async (stage) => ({
    ...(await aMetric(stage)),
    startDate: '2026-05-01',
    endDate: '2026-05-02',
  }),
  unlockMember: member,
  updateAccount: ({ mine: id }) => ({ id, name: 'Renamed' }),
  'updateAccount theirs': ({ theirs: id }) => ({ id, name: 'Renamed' }),
  updateMember: ({ other }) => ({ id: other.membershipId, role: 'member' }),
  'updateMember owner': async (stage) => ({ id: await ownerOf(stage), role: 'viewer' }),
  'updateMember theirs': ({ other, theirs: id }) => ({ id: other.membershipId, accountAccess: [id] }),
  'updateMember to owner': ({ other }) => ({ id: other.membershipId, role: 'super_admin' }),
  updateOrganization: () => ({ name: 'Kite' }),
  'updateOrganization bill': () => ({ billingEmail: 'bills@example.com' }),
  updateAnomaly: async (stage) => ({ ...(await anAnomaly('mine')(stage)), status: 'acknowledged' }),
  'updateAnomaly theirs': async (stage) => ({ ...(await anAnomaly('theirs')(stage)), status: 'resolved' }),
  updateAnomalies: async (stage) => ({ ids: [(await anAnomaly('mine')(stage)).id], status: 'acknowledged' }),
  'updateAnomalies theirs': async (stage) => ({ ids: [(await anAnomaly('theirs')(stage)).id], note: 'Seen' }),
  updateRecommendation: async (stage) => ({ ...(await aRecommendation('mine')(stage)), status: 'applied' }),
  'updateRecommendation theirs': async (stage) => ({ ...(await aRecommendation('theirs')(stage)), snoozeDays: 7 }),
  updateRecommendations: async (stage) => ({ ids: [(await aRecommendation('mine')(stage)).id], status: 'applied' }),
  'updateRecommendations theirs': async (stage) => ({
    ids: [(await aRecommendation('theirs')(stage)).id],
    note: 'Seen',
  }),
  updateMe: () => ({ name: 'Bo' }),
  updatePasskey: async (stage) => ({ ...(await aPasskey(stage)), name: 'Key' }),
  notificationPreferences: nothing,
  setSlackWebhook: () => ({ url: 'https://hooks.slack.com/services/T/B/x' }),
  testSlack: nothing,
  channels: nothing,
  channel: aChannel,
  createChannel: () => ({ name: 'Ops', kind: 'slack', url: 'https://hooks.slack.com/services/T/B/x' }),
  updateChannel: async (stage) => ({ ...(await aChannel(stage)), enabled: false }),
  deleteChannel: aChannel,
  testChannel: aChannel,
  rotateChannelSecret: aChannel,
  notifications: nothing,
  updateNotificationPreferences: () => ({ additionalEmails: ['ops@example.com'] }),
  updateVirtualTag: async (stage) => ({ ...(await aVirtualTag(stage)), enabled: false }),
  updateTagPolicy: async (stage) => ({ ...(await aPolicy(null)(stage)), enabled: false }),
  'updateTagPolicy mine': async (stage) => ({ ...(await aPolicy('mine')(stage)), enabled: false }),
  'updateTagPolicy theirs': async (stage) => ({ ...(await aPolicy('theirs')(stage)), enabled: false }),
  verifyTwoFactor: () => ({ challengeToken: 'none', code: '000000' }),
};

/** A finished report on all accounts or on one. */
function aFile(which: 'mine' | 'theirs' | null): Request {
  return async ({ deps, organizationId, owner, ...accounts }) => {
    const createdAt = deps.clock.now();
    const expiresAt = new Date(createdAt.getTime() + 60_000);
    const about = { accountIds: which === null ? [] : [accounts[which]], isRestricted: which !== null };
    const file = {
      status: 'ready',
      sizeBytes: 3n,
      sha256: 'abc',
      chunks: { create: { part: 0, bytes: new Uint8Array(3) } },
    } as const;
    const data = { ...aReport, ...about, ...file, organizationId, startDate: day, endDate: day, filters: {} };
    const { id } = await deps.db.report.create({
      data: { ...data, createdById: owner.id, createdAt, expiresAt },
      select: { id: true },
    });
    return { id };
  };
}

/** Makes an account one that takes uploads. */
function takingUploads(which: 'mine' | 'theirs'): Request {
  return async ({ deps, ...accounts }) => {
    const id = accounts[which];
    await deps.db.account.updateMany({ where: { id }, data: { provider: 'focus', settings: { source: 'uploads' } } });
    return { id };
  };
}

/** An uploaded file. */
function anUpload(which: 'mine' | 'theirs'): Request {
  return async ({ deps, organizationId, owner, ...accounts }) => {
    const createdAt = deps.clock.now();
    const [id, accountId] = [newId(createdAt), accounts[which]];
    const content = { name: `${id}.csv`, sizeBytes: 1n, sha256: id, storageKey: `${accountId}/uploads/${id}` };
    const data = { ...content, id, accountId, organizationId, createdById: owner.id, createdAt };
    await deps.db.uploadedFile.create({ data, select: { id: true } });
    return { id: accountId, fileId: id };
  };
}

function aResource(which: 'mine' | 'theirs'): Request {
  return async ({ deps, organizationId, ...accounts }) => {
    const id = newId(deps.clock.now());
    const at = { accountId: accounts[which], organizationId, resourceId: 1n, firstSeenAt: day, lastSeenAt: day };
    const said = {
      provider: 'aws',
      nativeId: 'i-1',
      name: 'web',
      resourceType: 'Instance',
      service: 'EC2',
      region: 'eu',
    };
    const cost = { currency: 'USD', costLast30Days: 1 };
    const data = { ...at, ...said, ...cost, id, subAccount: '', tags: {}, tagTerms: [], searchText: '', metadata: {} };
    await deps.db.inventoryResource.create({ data, select: { id: true } });
    return { id };
  };
}

async function ownerOf({ deps, organizationId, owner }: Stage): Promise<string> {
  const where = { organizationId_userId: { organizationId, userId: owner.id } };
  return (await deps.db.membership.findUniqueOrThrow({ where, select: { id: true } })).id;
}

function queued(which: 'mine' | 'theirs'): Request {
  return async ({ deps, organizationId, ...accounts }) => {
    const id = accounts[which];
    const sync = { accountId: id, organizationId, status: 'queued', queuedAt: deps.clock.now() } as const;
    await deps.db.accountSync.create({ data: sync, select: { accountId: true } });
    return { id };
  };
}

/** A passkey of the user, except for a caller without a second factor, for whom it would be one. */
async function aPasskey({ deps, caller, user }: Stage) {
  const id = newId(deps.clock.now());
  const key = { credentialId: Buffer.from(id), publicKey: Buffer.from(id), counter: 0n, transports: [] };
  const passkey = { ...key, id, userId: user.id, name: 'Phone', deviceType: 'singleDevice', backedUp: false };
  if (caller !== 'unenrolled') await deps.db.passkey.create({ data: passkey, select: { id: true } });
  return { id };
}

function anAnomaly(which: 'mine' | 'theirs'): Request {
  return async ({ deps, organizationId, ...accounts }) => {
    const now = deps.clock.now();
    const id = newId(now);
    const what = { kind: 'spike', provider: 'aws', service: 'EC2', currency: 'USD' };
    const impact = { actual: 30, expected: 10, impact: 20, impactPercent: 200, dayCount: 1 };
    const why = { drivers: [], undivided: [], newResources: { count: 0, cost: 0, share: 0 }, usage: null };
    await deps.db.anomaly.create({
      data: {
        ...what,
        id,
        organizationId,
        accountId: accounts[which],
        region: '',
        severity: 'low',
        startDate: day,
        endDate: day,
        expectedCost: 10,
        actualCost: 30,
        series: [],
        facts: { ...what, ...impact, ...why, startDate: '2026-05-01', endDate: '2026-05-01' },
        detectedAt: now,
        updatedAt: now,
      },
      select: { id: true },
    });
    return { id };
  };
}

function aRecommendation(which: 'mine' | 'theirs'): Request {
  return async ({ deps, organizationId, ...accounts }) => {
    const now = deps.clock.now();
    const id = newId(now);
    const words = { fingerprint: id, provider: 'aws', type: 'aws_eip_idle', title: 'Release it', description: 'Idle' };
    const saving = { currency: 'USD', estimatedMonthlySavings: 3, confidence: 'high', evidence: {}, scripts: [] };
    const owner = { organizationId, accountId: accounts[which], createdAt: now, updatedAt: now };
    await deps.db.recommendation.create({ data: { id, ...owner, ...words, ...saving }, select: { id: true } });
    return { id };
  };
}

/** A budget for all accounts or for one. */
function aBudget(which: 'mine' | 'theirs' | null): Request {
  return async ({ deps, organizationId, owner, ...accounts }) => {
    const now = deps.clock.now();
    const made = { createdById: owner.id, createdAt: now, updatedAt: now };
    const accountId = which === null ? null : accounts[which];
    const data = { ...made, organizationId, accountId, name: 'Cloud', amount: 100, currency: 'USD' };
    const { id } = await deps.db.budget.create({ data, select: { id: true } });
    return { id };
  };
}

function aRule(which: 'mine' | 'theirs' | null): Request {
  return async ({ deps, organizationId, owner, ...accounts }) => {
    const now = deps.clock.now();
    const made = { createdById: owner.id, createdAt: now, updatedAt: now };
    const accountId = which === null ? null : accounts[which];
    const condition = { metric: 'daily_cost', operator: 'gt', threshold: 100 } as const;
    const data = { ...made, ...condition, organizationId, accountId, name: 'Too much' };
    const { id } = await deps.db.alertRule.create({ data, select: { id: true } });
    return { id };
  };
}

const daily = { name: 'Figures', type: 'inventory', format: 'csv', frequency: 'daily' };

/** A schedule of the caller or of another member, for one account or all. */
function aSchedule(which: 'mine' | 'theirs' | 'other' | null): Request {
  return async ({ deps, organizationId, asking, other, ...accounts }) => {
    const filters = which === null ? {} : { account_id: [which === 'theirs' ? accounts.theirs : accounts.mine] };
    const now = deps.clock.now();
    const owned = { organizationId, createdById: which === 'other' ? other.id : asking.id, inheritedScope: [] };
    const { id } = await deps.db.reportSchedule.create({
      data: { ...daily, ...owned, filters, hour: 8, timeZone: 'UTC', recipients: [], createdAt: now, updatedAt: now },
      select: { id: true },
    });
    return { id };
  };
}

const virtualRule = { valueFrom: { dimension: 'tag:team' } };

/** A virtual tag of the organization. */
async function aVirtualTag({ deps, organizationId }: Stage): Promise<{ id: string }> {
  const live = { defaultValue: 'Unallocated', rules: [], splits: [] };
  const id = newId(deps.clock.now());
  const data = {
    ...live,
    id,
    organizationId,
    key: id,
    name: 'Team',
    description: '',
    slot: 0,
    revision: 1,
    liveRevision: 1,
  };
  await deps.db.virtualTag.deleteMany({ where: { organizationId } });
  await deps.db.virtualTag.create({ data: { ...data, live } });
  return { id };
}

function aPolicy(which: 'mine' | 'theirs' | null): Request {
  return async ({ deps, organizationId, ...accounts }) => {
    const rule = { key: 'team', required: true, allowedValues: [], pattern: null, caseSensitive: false };
    const accountId = which === null ? null : accounts[which];
    const data = { organizationId, accountId, name: 'Teams', rules: [rule], resourceTypes: [] };
    const { id } = await deps.db.tagPolicy.create({ data, select: { id: true } });
    return { id };
  };
}

/** A channel of the organization, with a URL that is refused without a request. */
async function aChannel({ deps: { db, clock, secrets }, organizationId, owner }: Stage): Promise<{ id: string }> {
  const [now, id] = [clock.now(), newId(clock.now())];
  const sealed = {
    url: secrets.encrypt('https://127.0.0.1/ops', addressRowId(id)),
    secret: secrets.encrypt('whsec_c2VjcmV0', secretRowId(id)),
  };
  const own = { id, organizationId, createdById: owner.id, createdAt: now, updatedAt: now };
  await db.channel.create({
    data: { ...own, ...sealed, name: id, nameKey: id, kind: 'webhook' },
    select: { id: true },
  });
  return { id };
}

/** The metric of the organization. */
async function aMetric({ deps, organizationId }: Stage) {
  const now = deps.clock.now();
  const data = { organizationId, key: 'orders', name: 'Orders', unit: 'order', createdAt: now, updatedAt: now };
  const where = { organizationId_key: { organizationId, key: data.key } };
  return deps.db.unitMetric.upsert({ where, create: data, update: {}, select: { id: true } });
}

/** An invoice with a typed-in amount. */
function anInvoice(which: 'mine' | 'theirs'): Request {
  return async ({ deps, organizationId, ...accounts }) => {
    const now = deps.clock.now();
    const key = { accountId: accounts[which], issuer: 'AWS', invoiceId: newId(now), currency: 'USD' };
    await deps.db.typedInvoice.create({
      data: { ...key, organizationId, billingPeriodStart: day, amount: 5, updatedAt: now },
      select: { accountId: true },
    });
    const month = day.toISOString().slice(0, 10);
    return { id: invoiceId(key.accountId, month, key.issuer, key.invoiceId, key.currency) };
  };
}

async function aToken({ deps, organizationId, user }: Stage) {
  const id = newId(deps.clock.now());
  const kept = { id, organizationId, userId: user.id, name: 'CI', tokenHash: Buffer.from(id), lastFour: 'last' };
  await deps.db.apiToken.create({ data: kept, select: { id: true } });
  return { id };
}

async function anInvite({ deps, organizationId, mine: account }: Stage, email: string) {
  const now = deps.clock.now();
  const id = newId(now);
  const token = newLinkToken();
  const until = { sentAt: now, expiresAt: new Date(now.getTime() + 86_400_000), tokenHash: linkTokenHash(token) };
  const access = { role: Role.viewer, restricted: true, accountAccess: [account] };
  await deps.db.invite.create({ data: { id, organizationId, email, ...access, ...until }, select: { id: true } });
  return { id, token };
}

async function anInviteElsewhere(stage: Stage) {
  const id = newId(stage.deps.clock.now());
  await stage.deps.db.organization.create({ data: { id, name: 'Third', trustExternalId: id }, select: { id: true } });
  return (await anInvite({ ...stage, organizationId: id }, stage.asking.email)).token;
}

async function aReset({ deps, user }: Stage) {
  const now = deps.clock.now();
  const token = newLinkToken();
  const kept = { userId: user.id, tokenHash: linkTokenHash(token), expiresAt: new Date(now.getTime() + 60_000) };
  await deps.db.passwordReset.create({ data: kept, select: { id: true } });
  return { token, password: 'orbit plum kite' };
}
