// Writes log files that today's brokers no longer write, with Apache Kafka's own classes: messages of
// magic 0 and 1 in every codec, and the control records of KRaft. Run by run.sh; argument: the folder.
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.KRaftVersionRecord;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;

public class LegacySegments {
    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        for (byte magic = 0; magic <= 1; magic++) {
            for (CompressionType codec : List.of(CompressionType.NONE, CompressionType.GZIP,
                    CompressionType.SNAPPY, CompressionType.LZ4)) {
                legacy(root, magic, codec, TimestampType.CREATE_TIME);
                if (magic == 1) legacy(root, magic, codec, TimestampType.LOG_APPEND_TIME);
            }
        }
        control(root);
    }

    private static void legacy(Path root, byte magic, CompressionType codec, TimestampType type)
            throws Exception {
        String name = "legacy-" + magic + "-" + codec.name + (type == TimestampType.LOG_APPEND_TIME ? "-append" : "");
        ByteBuffer all = ByteBuffer.allocate(1 << 20);
        for (int set = 0; set < 3; set++) {
            MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(1 << 16), magic,
                Compression.of(codec).build(), type, set * 4L, 1700000000000L + set);
            for (int i = 0; i < 4; i++) {
                byte[] key = i == 1 ? null : ("key-" + set + "-" + i).getBytes();
                byte[] value = i == 2 ? null : ("value ".repeat(i * 9) + set).getBytes();
                builder.append(1600000000000L + (set * 4 + (i ^ 1)) * 1000L, key, value);
            }
            all.put(builder.build().buffer());
        }
        all.flip();
        write(root, name, all);
    }

    private static void control(Path root) throws Exception {
        Uuid directory = new Uuid(1, 2);
        VotersRecord voters = new VotersRecord().setVersion((short) 0).setVoters(List.of(
            new VotersRecord.Voter().setVoterId(7).setVoterDirectoryId(directory)
                .setEndpoints(voterEndpoints())
                .setKRaftVersionFeature(new VotersRecord.KRaftVersionFeature()
                    .setMinSupportedVersion((short) 0).setMaxSupportedVersion((short) 1))));
        LeaderChangeMessage leader = new LeaderChangeMessage().setVersion((short) 0).setLeaderId(7)
            .setVoters(List.of(new LeaderChangeMessage.Voter().setVoterId(7)))
            .setGrantingVoters(List.of());
        KRaftVersionRecord version = new KRaftVersionRecord().setVersion((short) 0).setKRaftVersion((short) 1);
        ByteBuffer all = ByteBuffer.allocate(4096);
        all.put(MemoryRecords.withLeaderChangeMessage(0, 1700000000000L, 3, ByteBuffer.allocate(512), leader).buffer());
        all.put(MemoryRecords.withKRaftVersionRecord(1, 1700000000001L, 3, ByteBuffer.allocate(512), version).buffer());
        all.put(MemoryRecords.withVotersRecord(2, 1700000000002L, 3, ByteBuffer.allocate(512), voters).buffer());
        all.flip();
        write(root, "control", all);
    }

    private static VotersRecord.EndpointCollection voterEndpoints() {
        VotersRecord.EndpointCollection endpoints = new VotersRecord.EndpointCollection();
        endpoints.add(new VotersRecord.Endpoint().setName("CONTROLLER").setHost("localhost").setPort(9093));
        return endpoints;
    }

    private static void write(Path root, String name, ByteBuffer bytes) throws Exception {
        Path folder = Files.createDirectories(root.resolve(name + "-0"));
        try (FileChannel file = FileChannel.open(folder.resolve("00000000000000000000.log"),
                StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            file.write(bytes);
        }
    }
}
