import { checkAlertRules } from './actions/alerts/check.ts';
import { notifyOfAnomaly } from './actions/alerts/notify-of-anomaly.ts';
import { notifyOfBudgetAlert } from './actions/alerts/notify-of-budget-alert.ts';
import { deliver } from './actions/notifications/deliver.ts';
import { deleteOldDeliveries } from './actions/notifications/store.ts';
import { deleteExpiredReports, generateReport } from './actions/reports/generate.ts';
import { notifyOfReport } from './actions/schedules/notify.ts';
import { runDueSchedules } from './actions/schedules/run.ts';
import { explainInJob } from './analysis/anomalies/explanation/explain.ts';
import { checkBudgets } from './analysis/budgets/check.ts';
import { evaluateAccount, queueEvaluations } from './analysis/evaluation/run.ts';
import { collectUnused } from './engine/stores/collect.ts';
import { evaluateChangedTags } from './facts/allocation/evaluate.ts';
import { evaluateTags } from './facts/tags/evaluation/evaluate.ts';
import { finishPurge } from './ingest/accounts/purge.ts';
import { performSync, queueSyncs } from './ingest/sync/perform.ts';
import { tasksOf } from './jobs/task.ts';
import { backUpOnSchedule } from './operation/backup/scheduled.ts';
import { deleteOldEntries } from './tenancy/audit/store.ts';
import { orgScope } from './tenancy/auth/scope.ts';
import { fetchExchangeRates } from './tenancy/org/rates/fetch.ts';
import { sendQueuedMail } from './tenancy/mail/queue-mail.ts';
import { sendReset } from './tenancy/passwords/forgot.ts';
import { deleteEndedRecords } from './tenancy/retention/run.ts';

/** Whole organizations: jobs of the server itself have no restricted caller. */
const all = ({ organizationId }: { readonly organizationId: string }) => orgScope(organizationId, null);

/** The task of each kind of job. `jobs/kinds.ts` has their payloads, and `jobs/schedule.ts` their times. */
export const tasks = tasksOf({
  sync: (deps, ids, { signal }) => performSync(deps, all(ids), ids.accountId, signal),
  sync_all: (deps) => queueSyncs(deps),
  evaluate: (deps, ids, { signal }) => evaluateAccount(deps, all(ids), ids.accountId, signal),
  purge_account: (deps, ids) => finishPurge(deps, all(ids), ids.accountId),
  evaluate_all: (deps) => queueEvaluations(deps),
  evaluate_tags: (deps, ids) => evaluateTags(deps, all(ids), ids.accountId, false),
  evaluate_virtual_tags: (deps, ids, { signal }) => evaluateChangedTags(deps, all(ids), signal),
  check_budgets: (deps, { organizationId }) => checkBudgets(deps, organizationId),
  tell_budget_alert: (deps, reached) => notifyOfBudgetAlert(deps, reached),
  check_alert_rules: (deps, { organizationId }) => checkAlertRules(deps, organizationId),
  explain_anomaly: (deps, ids, job) => explainInJob(deps, all(ids), ids.anomalyId, job),
  tell_anomaly: (deps, ids) => notifyOfAnomaly(deps, all(ids), ids.anomalyId),
  generate_report: (deps, report, { attempt, maxAttempts, signal }) =>
    generateReport(deps, report, { isLast: attempt >= maxAttempts, signal }),
  run_schedules: (deps, _nothing, { runAt }) => runDueSchedules(deps, runAt),
  tell_report: (deps, report) => notifyOfReport(deps, report),
  deliver_email: (deps, ids, { runAt }) => deliver(deps, { ...ids, runAt }),
  deliver_slack: (deps, ids, { runAt }) => deliver(deps, { ...ids, runAt }),
  deliver_channel: (deps, ids, { runAt }) => deliver(deps, { ...ids, runAt }),
  send_mail: (deps, mail) => sendQueuedMail(deps, mail),
  forgot_password: (deps, request) => sendReset(deps, request),
  collect_facts: (deps, _nothing, { runAt, signal }) => collectUnused(deps, runAt, signal),
  backup: (deps, _nothing, { signal }) => backUpOnSchedule(deps, signal),
  fetch_exchange_rates: (deps, { organizationId }) => fetchExchangeRates(deps, organizationId),
  audit_retention: (deps, _nothing, { runAt }) => deleteOldEntries(deps, runAt),
  delivery_retention: (deps, _nothing, { runAt }) => deleteOldDeliveries(deps, runAt),
  identity_retention: (deps, _nothing, { runAt }) => deleteEndedRecords(deps, runAt),
  report_retention: (deps, _nothing, { runAt }) => deleteExpiredReports(deps, runAt),
});
