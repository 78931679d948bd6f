import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useMay, useMe } from '../api/me.tsx';
import { useAct } from '../api/use-act.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { done } from '../parts/done.ts';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/shown.tsx';
import { ago } from '../words/format.ts';
import { blank, changesOf, formOf, valuesOf, type RuleForm } from './form.ts';
import { AlertRuleQuery, CreateAlertRule, DeleteAlertRule, UpdateAlertRule, type AlertRule } from './queries.ts';
import { ReadOnlyRule } from './read-only.tsx';
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
