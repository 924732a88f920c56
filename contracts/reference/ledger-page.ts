// The ledger as a page: rules, gaps with their readings, and refusals.
import type { Ledger } from '../../server/derive/ledger/ledger.js';
import { ledgerMarkdown } from '../../server/derive/ledger/ledger-markdown.js';
import { page } from './page.js';

export function ledgerPage(ledger: Ledger): string {
  const [title = '', ...body] = ledgerMarkdown(ledger).trimEnd().split('\n');
  return page({
    title: title.replace(/^# /, ''),
    lead: 'Every rule, gap, reading and refusal.',
    body: body.slice(1),
    next: '[choose readings for the open questions](../how-to/choose-a-reading.md).',
  });
}
