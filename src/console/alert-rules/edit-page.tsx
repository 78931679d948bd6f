import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useMay, useMe } from '../api/me.tsx';
import { useAct, useAnswer } from '../api/use-api.ts';
import { LeftOut } from '../costs/from-view/left-out.tsx';
import { originOf, scopeOfView, viewKey } from '../costs/from-view/prefill.ts';
import { usePeople } from '../parts/choices/choices.tsx';
import { ConfirmButton, done } from '../parts/form/dialog.tsx';
import { useChannelsText } from '../parts/form/recipients.tsx';
import classes from '../parts/form/form.module.css';
import { changesSince } from '../parts/form/changed-fields.ts';
import { useUrlState } from '../parts/list/url-state.ts';
import { Card, Facts } from '../parts/page/card.tsx';
import { Page, RecordPage } from '../parts/page/page.tsx';
import { ago, moment } from '../words/format.ts';
import { PreviewCard } from './preview-card.tsx';
import {
  AlertRuleQuery,
  CreateAlertRule,
  DeleteAlertRule,
  UpdateAlertRule,
  type AlertRule,
  blank,
  formOf,
  useSentence,
  valuesOf,
  type RuleForm,
} from './rule.ts';
import { RuleFormFields } from './rule-form.tsx';

/** Page for a new alert rule. */
export function NewAlertRulePage() {
  const [, go] = useLocation();
  const create = useAct(CreateAlertRule);
  const view = originOf(useUrlState());
  const scope = view && scopeOfView(view);
  const left = [...(scope?.left ?? []), ...(view && view.metric !== 'effective' ? [`${view.metric} cost`] : [])];
  const save = async (form: RuleForm) => {
    const made = (await create.act({ input: valuesOf(form) }))?.createAlertRule;
    if (!made) return;
    go('/alert-rules', { replace: true });
    done(`Alert rule ${made.name} created`);
  };
  return (
    <Page
      title="New alert rule"
      lead="Evaluated now for the last complete day, then after each sync and once per day."
      crumbs={[['Alert rules', '/alert-rules']]}
      reads={[viewKey]}
    >
      <LeftOut noun="rule" left={left} />
      <RuleFormFields
        initial={{ ...blank, ...scope?.values }}
        isMine
        verb="Create alert rule"
        of={create}
        onSave={save}
      />
    </Page>
  );
}

/** Alert rule page: a form, or read-only without write permission. */
export function AlertRulePage() {
  const { id = '' } = useParams<{ id: string }>();
  const mayWrite = useMay('alert_rules.write');
  return (
    <RecordPage
      of={useAnswer(AlertRuleQuery, { id })}
      record={(data) => data.alertRule}
      noun="alert rule"
      crumbs={[['Alert rules', '/alert-rules']]}
      titleOf={({ name }) => name}
      leadOf={({ lastTriggeredAt: at }) => (at ? `Last triggered ${ago(at)}` : 'Never triggered')}
      actionsOf={(rule) => mayWrite && <DeleteButton rule={rule} />}
    >
      {(rule) => (mayWrite ? <Edit key={id} rule={rule} /> : <ReadOnlyRule rule={rule} />)}
    </RecordPage>
  );
}

function Edit({ rule: read }: { readonly rule: AlertRule }) {
  // Keeps the first version, on which the edits are based: the rule is refetched during editing.
  const [rule] = useState(read);
  const { user } = useMe();
  const [, go] = useLocation();
  const update = useAct(UpdateAlertRule);
  const initial = formOf(rule);
  const save = async (form: RuleForm) => {
    const changes = changesSince(rule.updatedAt, valuesOf(initial), valuesOf(form));
    if (Object.keys(changes).length > 0) {
      const changed = (await update.act({ id: rule.id, input: changes }))?.updateAlertRule;
      if (!changed) return;
      done(`Alert rule ${changed.name} saved`);
    }
    go('/alert-rules');
  };
  return (
    <RuleFormFields
      initial={initial}
      isMine={rule.createdById === user.id}
      verb="Save changes"
      of={update}
      onSave={save}
    />
  );
}

function DeleteButton({ rule: { id, name } }: { readonly rule: AlertRule }) {
  const [, go] = useLocation();
  return (
    <ConfirmButton
      label="Delete"
      button={{ leftSection: <IconTrash size={15} aria-hidden /> }}
      title="Delete this alert rule?"
      verb="Delete alert rule"
      text={`“${name}” is deleted for everyone and sends no more alerts. This cannot be undone; to pause it, disable it.`}
      mutation={DeleteAlertRule}
      variables={{ id }}
      confirmation={`Alert rule ${name} deleted`}
      onDone={() => go('/alert-rules', { replace: true })}
    />
  );
}

/** Read-only view of an alert rule. */
function ReadOnlyRule({ rule }: { readonly rule: AlertRule }) {
  const personOf = usePeople();
  const sentenceOf = useSentence();
  const channelsText = useChannelsText();
  return (
    <div className={classes.split}>
      <Card title="Rule">
        <Facts
          facts={[
            ['Condition', sentenceOf(rule)],
            ['State', rule.enabled ? 'Enabled' : 'Disabled'],
            ['Last triggered', rule.lastTriggeredAt ? moment(rule.lastTriggeredAt) : 'Never'],
            ['Owner', personOf(rule.createdById)],
            ['Recipients', ['Owner', ...rule.emails].join(', ')],
            ['Channels', channelsText(rule)],
            ['Created', moment(rule.createdAt)],
          ]}
        />
      </Card>
      <PreviewCard condition={rule} />
    </div>
  );
}
