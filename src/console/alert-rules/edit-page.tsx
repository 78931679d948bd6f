import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useMay, useMe } from '../api/me.tsx';
import { useAct, useAnswer } from '../api/use-api.ts';
import { usePeople } from '../parts/choices/choices.ts';
import { ConfirmDialog } from '../parts/form/dialog.tsx';
import { done } from '../parts/form/done.ts';
import { Card, Facts } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { Empty, Shown } from '../parts/page/shown.tsx';
import { Status } from '../parts/page/status.tsx';
import { ago, moment } from '../words/format.ts';
import classes from './alert-rules.module.css';
import { blank, changesOf, formOf, type RuleForm, useSentence, valuesOf } from './rule.ts';
import { PreviewCard } from './preview-card.tsx';
import { type AlertRule, AlertRuleQuery, CreateAlertRule, DeleteAlertRule, UpdateAlertRule } from './queries.ts';
import { RuleFormFields } from './rule-form.tsx';

/** Makes a rule. */
export function NewAlertRulePage() {
  const [, go] = useLocation();
  const { act, isBusy, refusal } = useAct(CreateAlertRule);
  const save = async (form: RuleForm) => {
    const made = (await act({ input: valuesOf(form) }))?.createAlertRule;
    if (!made) return;
    go('/alert-rules', { replace: true });
    done(`Alert rule ${made.name} was made`);
  };
  return (
    <Page
      title="New alert rule"
      lead="It is held against the last complete day at once, and against each later one."
      crumbs={[['Alert rules', '/alert-rules']]}
    >
      <RuleFormFields
        initial={blank}
        isMine
        verb="Create alert rule"
        isBusy={isBusy}
        refusal={refusal}
        onSave={(form) => void save(form)}
      />
    </Page>
  );
}

/** A rule: to change for those who may, to read for the others. */
export function AlertRulePage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(AlertRuleQuery, { id });
  const mayWrite = useMay('alert_rules.write');
  const rule = answer.data?.alertRule ?? null;
  return (
    <Page
      title={rule?.name ?? 'Alert rule'}
      lead={rule && (rule.lastTriggeredAt ? `Last triggered ${ago(rule.lastTriggeredAt)}` : 'Never triggered')}
      crumbs={[['Alert rules', '/alert-rules']]}
      actions={rule && mayWrite && <DeleteButton rule={rule} />}
    >
      <Shown of={answer} height={480}>
        {(data) => {
          if (!data.alertRule) return <Empty title="There is no such alert rule" />;
          return mayWrite ? <Edit key={id} rule={data.alertRule} /> : <ReadOnlyRule rule={data.alertRule} />;
        }}
      </Shown>
    </Page>
  );
}

function Edit({ rule }: { readonly rule: AlertRule }) {
  const { user } = useMe();
  const [, go] = useLocation();
  const { act, isBusy, refusal } = useAct(UpdateAlertRule);
  const initial = formOf(rule);
  const save = async (form: RuleForm) => {
    const changes = changesOf(initial, form);
    if (Object.keys(changes).length > 0) {
      const changed = (await act({ id: rule.id, input: changes }))?.updateAlertRule;
      if (!changed) return;
      done(`Alert rule ${changed.name} was changed`);
    }
    go('/alert-rules');
  };
  return (
    <RuleFormFields
      initial={initial}
      isMine={rule.createdById === user.id}
      verb="Save changes"
      isBusy={isBusy}
      refusal={refusal}
      onSave={(form) => void save(form)}
    />
  );
}

function DeleteButton({ rule: { id, name } }: { readonly rule: AlertRule }) {
  const [isAsking, setAsking] = useState(false);
  const [, go] = useLocation();
  const { act, isBusy, refusal, clear } = useAct(DeleteAlertRule);
  const remove = async () => {
    if (!(await act({ id }))) return;
    go('/alert-rules', { replace: true });
    done(`Alert rule ${name} was deleted`);
  };
  const close = () => {
    setAsking(false);
    clear();
  };
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete this alert rule?"
        verb="Delete alert rule"
        isOpen={isAsking}
        isBusy={isBusy}
        refusal={refusal}
        text={`“${name}” is deleted for everybody and tells nobody any more. This cannot be undone; to pause it, turn it off.`}
        onSubmit={() => void remove()}
        onClose={close}
      />
    </>
  );
}

/** A rule for those who may not change it. */
function ReadOnlyRule({ rule }: { readonly rule: AlertRule }) {
  const personOf = usePeople();
  const sentenceOf = useSentence();
  return (
    <div className={classes.form}>
      <Card title="Rule">
        <Facts
          facts={[
            ['Tells when', sentenceOf(rule)],
            [
              'State',
              <Status key="state" value={rule.enabled ? 'ON' : 'OFF'} tone={rule.enabled ? 'good' : 'quiet'} />,
            ],
            ['Last triggered', rule.lastTriggeredAt ? moment(rule.lastTriggeredAt) : 'Never'],
            ['Owner', personOf(rule.createdById)],
            ['Tells', ['Its owner', ...rule.emails].join(', ')],
            ['Chat', rule.slack ? 'Through the webhook of its owner' : 'No'],
            ['Created', moment(rule.createdAt)],
          ]}
        />
      </Card>
      <PreviewCard condition={rule} />
    </div>
  );
}
