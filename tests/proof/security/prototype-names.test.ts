// Every other property name that each JavaScript object has, in every request.
import { testNames } from '../../security/prototype-names.js';

testNames(['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']);
