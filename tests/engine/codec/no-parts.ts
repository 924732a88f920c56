// For entries and notes without large texts: none is kept beside them, and none is asked for.
import { expect } from 'chai';

export const noParts = (name: string): never => expect.fail(`the part ${name} is kept`);
export const noPart = (name: string): never => expect.fail(`the part ${name} is asked for`);
