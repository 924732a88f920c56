// Attacks on resources: compressed bombs, unread answers, expensive searches, endless growth.
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { isObject } from '../../domain/form/patch.js';
import type { Attack } from '../attack.js';
import type { Instance } from '../instance.js';
import type { Trial } from '../trial.js';
import { chunked } from './sizes.js';

const GROUPS = '/rest/cwxapiextension/latest/groups/add-users';
const PUSH = '/rest/cwx-ppf/latest/push';
const REPLACE = '/rest/cwxapiextension/latest/spaces/replaceInPage';
const MIB = 1024 * 1024;
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

export const endlessPacking: Attack = {
  name: 'endless-packing',
  defends: 'A packed body counts as it arrives, also where it unpacks to nothing.',
  tries: 'A body of 8 MiB is sent in chunks that gzip unpacks to an empty text.',
  remedy: 'Use a newer version, or a proxy in front that bounds bodies.',
  needsSandbox: true,
  run: async instance => {
    const member = gzipSync('');
    const body = chunked(Buffer.alloc(Math.ceil((8 * MIB) / member.length) * member.length, member));
    const headers = [JSON_TYPE, ['Content-Encoding', 'gzip'], ['Transfer-Encoding', 'chunked']] as const;
    const path = instance.own(GROUPS);
    const plain = await instance.ask({ method: 'POST', path, headers: [JSON_TYPE], body: Buffer.alloc(8 * MIB, ' ') });
    if (plain.answer?.status !== 413) return { inapplicable: 'it takes bodies of 8 MiB in any form' };
    const trial = instance.trial(
      await instance.ask({ method: 'POST', path, headers, body }),
      ({ status }) => status !== 413,
    );
    return { trials: [{ ...trial, sent: `POST ${path} | ${body.length} packed bytes of nothing` }] };
  },
};

export const unreadAnswers: Attack = {
  name: 'unread-answers',
  defends: 'Who does not read answers gets no more of them: requests wait in the connection, not in memory.',
  tries: 'Over one connection each, 30,000 small requests and 24 with large answers are sent, and nothing is read.',
  remedy: 'Use a newer version, or a proxy in front that reads answers.',
  needsSandbox: true,
  run: async instance => {
    const names = Array.from({ length: 9_000 }, (_, i) => `${i}-${'x'.repeat(90)}`);
    const large = { method: 'POST', path: instance.own(PUSH), headers: instance.credentialsFor(PUSH) };
    await instance.admit();
    return {
      trials: [
        await unread(instance, { path: instance.own(GROUPS), method: 'PUT' }, 30_000),
        await unread(instance, { ...large, json: { users: names, filters: [1] } }, 24),
      ],
    };
  },
};

/** Sends a request many times over one connection without reading, and counts how many were performed. */
async function unread(instance: Instance, asked: Parameters<Instance['ask']>[0], times: number): Promise<Trial> {
  await instance.control('POST', instance.ownControl('/reset'));
  await instance.admit();
  const line = await instance.parts.wire.open();
  line.pause();
  const body = asked.json === undefined ? '' : JSON.stringify(asked.json);
  line.write(`${instance.head(asked)}${body}`.repeat(times));
  let performed = -1;
  for (let before = -2; performed > before && performed < times && !line.isClosed; ) {
    before = performed;
    await sleep(SETTLING_MS);
    performed = await performedIn(instance);
  }
  line.end();
  const isOpen = performed >= times;
  return {
    sent: `${times} × ${asked.method} ${asked.path}${body === '' ? '' : `, ${body.length} bytes each`}, nothing read`,
    seen: isOpen ? 'all were performed' : `${performed} were performed, the others waited`,
    outcome: isOpen ? 'all performed' : 'stopped',
    isOpen,
  };
}

/** Maximum time between two performed requests. */
const SETTLING_MS = 400;

/** Entries of the attacks' journal since its reset. */
async function performedIn(instance: Instance): Promise<number> {
  const { answer } = await instance.control('GET', instance.ownControl(''));
  const description: unknown = answer?.status === 200 ? JSON.parse(answer.text) : undefined;
  if (!isObject(description) || !isObject(description.journal)) return 0;
  return Number(description.journal.entries) + Number(description.journal.evicted);
}

export const searchBomb: Attack = {
  name: 'search-bomb',
  defends: 'A text that is hard to search for keeps nobody else waiting.',
  tries:
    'On a page of 900,000 letters, 30,000 of the same letter around another one are looked for, while somebody else asks.',
  remedy: 'Report it as a bug, and lower --max-body meanwhile.',
  needsSandbox: true,
  run: async instance => {
    await instance.admit();
    const pages = { 990001: { space: 'doctor', title: 'search', body: 'a'.repeat(900_000) } };
    await instance.control('PATCH', instance.ownControl('/world'), { spaces: { doctor: {} }, pages });
    const path = instance.own(`${REPLACE}?spaceKey=doctor&pageTitle=search`);
    const oldText = `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}`;
    const headers = instance.credentialsFor(path);
    let isSearching = true;
    const searched = instance.ask({ method: 'POST', path, headers, json: [{ oldText, newText: '' }] }).finally(() => {
      isSearching = false;
    });
    let waited = 0;
    while (isSearching && waited <= MAX_WAITING_MS) {
      const begun = performance.now();
      const { answer } = await instance.ask({ path: '/_fake/health' });
      waited = Math.max(waited, answer === undefined ? instance.parts.answerTime : performance.now() - begun);
    }
    await searched;
    const isOpen = waited > MAX_WAITING_MS;
    const seen = `somebody else waited ${Math.round(waited)} ms`;
    return {
      trials: [
        { sent: `POST ${path} | ${oldText.length} letters`, seen, outcome: isOpen ? 'kept waiting' : 'served', isOpen },
      ],
      says: seen,
    };
  },
};

const MAX_WAITING_MS = 1_000;

export const endlessGrowth: Attack = {
  name: 'endless-growth',
  defends: 'A sandbox does not grow until the memory is full.',
  tries: 'Pages of 900 kB are written until the server has enough of them, 150 at most.',
  remedy: 'Lower --max-sandbox, or leave it out.',
  needsSandbox: true,
  run: async instance => {
    await instance.control('PATCH', instance.ownControl('/world'), { spaces: { doctor: {} } });
    const body = 'x'.repeat(900_000);
    let trial: Trial | undefined;
    let count = 0;
    while (count < MAX_PAGES && trial?.isOpen !== false) {
      count += 1;
      const pages = { [990_000 + count]: { space: 'doctor', title: `growth ${count}`, body } };
      const exchange = await instance.control('PATCH', instance.ownControl('/world'), { pages });
      trial = instance.trial(exchange, ({ status }) => status < 400);
    }
    await instance.control('POST', instance.ownControl('/reset'));
    const says = `${count} pages of 900 kB: ${trial?.outcome}`;
    return { trials: trial === undefined ? [] : [{ ...trial, sent: `${count} × PATCH …/world with 900 kB` }], says };
  },
};

const MAX_PAGES = 150;
