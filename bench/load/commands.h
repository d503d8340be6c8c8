// The subcommands of the load generator. Each parses its options, runs, prints one JSON object.
#pragma once

namespace millrace::bench {

// Replays pre-encoded Produce frames and checks every answer.
void RunProduce(int argc, char** argv);

// Reads partitions in a circle and throws the records away in the kernel.
void RunFetch(int argc, char** argv);

// One record at a time at a fixed rate, from its scheduled time to its arrival at a consumer.
void RunLatency(int argc, char** argv);

// One active partition in a fetch session of many: records go in and come out one by one.
void RunSession(int argc, char** argv);

// Opens connections, and says what each costs.
void RunConnect(int argc, char** argv);

// Many long polls on one partition: what a wake and what a timeout costs.
void RunPark(int argc, char** argv);

// Waits for the first ApiVersions answer, of a running broker or of one it starts.
void RunProbe(int argc, char** argv);

// Creates a topic and waits until it answers.
void RunCreate(int argc, char** argv);

// Measures a process for some seconds in which nobody talks to it.
void RunIdle(int argc, char** argv);

}  // namespace millrace::bench
