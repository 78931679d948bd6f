import { notifyOfAnomalyTask } from './actions/alerts/tasks.ts';
import { deliverEmailTask, deliverSlackTask, deliveryRetentionTask } from './actions/notifications/tasks.ts';
import { generateReportTask, reportRetentionTask } from './actions/reports/tasks.ts';
import { notifyOfReportTask, runSchedulesTask } from './actions/schedules/tasks.ts';
import { explainAnomalyTask } from './analysis/anomalies/tasks.ts';
import { checkAlertRulesTask, notifyOfBudgetAlertTask } from './actions/alerts/tasks.ts';
import { checkBudgetsTask } from './analysis/budgets/tasks.ts';
import { evaluateAllTask, evaluateTask } from './analysis/evaluation/tasks.ts';
import { collectFactsTask } from './engine/tasks.ts';
import { evaluateTagsTask } from './facts/tags/tasks.ts';
import { syncAllTask, syncTask } from './ingest/sync/tasks.ts';
import { auditRetentionTask } from './tenancy/audit/tasks.ts';
import { sendMailTask } from './tenancy/mail/tasks.ts';
import { forgotPasswordTask } from './tenancy/passwords/tasks.ts';
import { identityRetentionTask } from './tenancy/retention/tasks.ts';
import type { Task } from './jobs/task.ts';

/** Every job kind. */
export const tasks: readonly Task[] = [
  syncTask,
  syncAllTask,
  evaluateTask,
  evaluateAllTask,
  checkBudgetsTask,
  checkAlertRulesTask,
  notifyOfBudgetAlertTask,
  evaluateTagsTask,
  explainAnomalyTask,
  notifyOfAnomalyTask,
  auditRetentionTask,
  sendMailTask,
  forgotPasswordTask,
  identityRetentionTask,
  deliverEmailTask,
  deliverSlackTask,
  deliveryRetentionTask,
  generateReportTask,
  reportRetentionTask,
  runSchedulesTask,
  notifyOfReportTask,
  collectFactsTask,
];
