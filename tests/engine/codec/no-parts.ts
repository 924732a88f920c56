// Part readers and writers for entries without large texts: they fail if called.
import { expect } from 'chai';

export const noParts = (name: string): never => expect.fail(`the part ${name} is kept`);
export const noPart = (name: string): never => expect.fail(`the part ${name} is asked for`);
