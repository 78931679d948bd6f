import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { usePeople } from '../parts/people.ts';
import { Status } from '../parts/status.tsx';
import { moment } from '../words/format.ts';
import classes from './alert-rules.module.css';
import { PreviewCard } from './preview-card.tsx';
import type { AlertRule } from './queries.ts';
import { useSentence } from './sentence.ts';

/** A rule for those who may not change it. */
export function ReadOnlyRule({ rule }: { readonly rule: AlertRule }) {
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
