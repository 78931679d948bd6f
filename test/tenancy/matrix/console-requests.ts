import { newId } from '../../../src/kit/ids.ts';
import type { Request, Stage } from './stage.ts';

const day = new Date('2026-05-01T00:00:00Z');
const nothing: Request = () => ({});

/** Requests about records of the console: saved views, dashboards and annotations. */
export const consoleRequests: Readonly<Record<string, Request>> = {
  savedViews: nothing,
  savedView: aView('mine'),
  'savedView everywhere': aView('everywhere'),
  'savedView theirs': aView('theirs'),
  'savedView private': aView('private'),
  createSavedView: () => ({ name: 'Services', page: 'costs', query: { group: 'service' } }),
  'createSavedView shared': () => ({ name: 'Services', page: 'costs', visibility: 'organization' }),
  updateSavedView: async (stage) => ({ ...(await aView('own')(stage)), name: 'Regions' }),
  'updateSavedView mine': async (stage) => ({ ...(await aView('mine')(stage)), name: 'Regions' }),
  'updateSavedView private': async (stage) => ({ ...(await aView('private')(stage)), name: 'Regions' }),
  deleteSavedView: aView('own'),
  'deleteSavedView mine': aView('mine'),
  'deleteSavedView private': aView('private'),
  dashboards: nothing,
  dashboard: aDashboard('mine'),
  'dashboard everywhere': aDashboard('everywhere'),
  'dashboard theirs': aDashboard('theirs'),
  'dashboard private': aDashboard('private'),
  createDashboard: () => ({ name: 'Monday', widgets: [aWidget] }),
  'createDashboard shared': () => ({ name: 'Monday', visibility: 'organization' }),
  'createDashboard private view': async (stage) => {
    const { query: _query, ...widget } = aWidget;
    return { name: 'Monday', widgets: [{ ...widget, viewId: (await aView('private')(stage))['id'] }] };
  },
  updateDashboard: async (stage) => ({ ...(await aDashboard('own')(stage)), name: 'Friday' }),
  'updateDashboard mine': async (stage) => ({ ...(await aDashboard('mine')(stage)), name: 'Friday' }),
  'updateDashboard private': async (stage) => ({ ...(await aDashboard('private')(stage)), name: 'Friday' }),
  deleteDashboard: aDashboard('own'),
  'deleteDashboard mine': aDashboard('mine'),
  'deleteDashboard private': aDashboard('private'),
  defaultDashboard: nothing,
  updateDefaultDashboard: async (stage) => ({ own: (await aDashboard('mine')(stage))['id'] }),
  'updateDefaultDashboard everywhere': async (stage) => ({ own: (await aDashboard('everywhere')(stage))['id'] }),
  'updateDefaultDashboard private': async (stage) => ({ own: (await aDashboard('private')(stage))['id'] }),
  'updateDefaultDashboard ours': async (stage) => ({ organization: (await aDashboard('mine')(stage))['id'] }),
  annotations: nothing,
  annotation: anAnnotation('everywhere'),
  'annotation mine': anAnnotation('mine'),
  'annotation theirs': anAnnotation('theirs'),
  createAnnotation: () => aNote,
  'createAnnotation mine': ({ mine: accountId }) => ({ ...aNote, accountId }),
  'createAnnotation theirs': ({ theirs: accountId }) => ({ ...aNote, accountId }),
  updateAnnotation: async (stage) => ({ ...(await anAnnotation('everywhere')(stage)), text: 'Ended' }),
  'updateAnnotation own': async (stage) => ({ ...(await anAnnotation('own')(stage)), text: 'Ended' }),
  'updateAnnotation mine': async (stage) => ({ ...(await anAnnotation('mine')(stage)), text: 'Ended' }),
  'updateAnnotation theirs': async (stage) => ({ ...(await anAnnotation('theirs')(stage)), text: 'Ended' }),
  deleteAnnotation: anAnnotation('everywhere'),
  'deleteAnnotation own': anAnnotation('own'),
  'deleteAnnotation mine': anAnnotation('mine'),
  'deleteAnnotation theirs': anAnnotation('theirs'),
};

/** A shared view of another member for an account or for all accounts, their private one, or a private one of the caller. */
function aView(which: Which): Request {
  return async (stage) => {
    const accounts = accountsOf(which, stage);
    const owned = keptBy(which, stage);
    const data = { ...owned, page: 'costs' as const, query: { account: accounts }, accountIds: accounts };
    const { id } = await stage.deps.db.savedView.create({ data, select: { id: true } });
    return { id };
  };
}

const aWidget = { query: { group: 'service' }, chart: 'bar', x: 0, y: 0, w: 6, h: 4 };

/** A dashboard with one widget, as `aView`. */
function aDashboard(which: Which): Request {
  return async (stage) => {
    const widgets = [{ ...aWidget, id: 'a', viewId: null, title: null, accountIds: accountsOf(which, stage) }];
    const data = { ...keptBy(which, stage), widgets };
    const { id } = await stage.deps.db.dashboard.create({ data, select: { id: true } });
    return { id };
  };
}

const aNote = { startDate: '2026-05-01', text: 'Migration began' };

/** Another member's annotation about the organization or an account, or the caller's own one about their account. */
function anAnnotation(which: Exclude<Which, 'private'>): Request {
  return async (stage) => {
    const { organizationId, createdById, createdAt, updatedAt } = keptBy(which, stage);
    const [accountId = null] = accountsOf(which, stage);
    const data = { organizationId, createdById, createdAt, updatedAt, accountId, text: 'Began' };
    const { id } = await stage.deps.db.annotation.create({
      data: { ...data, startDate: day, endDate: day },
      select: { id: true },
    });
    return { id };
  };
}

type Which = 'mine' | 'theirs' | 'everywhere' | 'private' | 'own';

function accountsOf(which: Which, stage: Stage): string[] {
  return which === 'everywhere' ? [] : [which === 'theirs' ? stage.theirs : stage.mine];
}

function keptBy(which: Which, { deps, organizationId, asking, other }: Stage) {
  const now = deps.clock.now();
  const visibility = which === 'private' || which === 'own' ? 'private' : 'organization';
  const createdById = which === 'own' ? asking.id : other.id;
  return { organizationId, createdById, visibility, name: newId(now), createdAt: now, updatedAt: now } as const;
}
