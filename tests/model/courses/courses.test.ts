// Random courses of several sandboxes, with every operation and every control call, and concurrent requests, compared with a model
// written independently of the server.
import { testCourses } from './courses.js';

testCourses(1500, 800);
