// Random courses of several sandboxes, every operation and every control call, beside a model written apart from the server.
import { testCourses } from './courses.js';

testCourses(1500);
