// Writes cases for test/unit/coordinator/group/consumer/assignors.test.ts to standard output, one a line: what the
// assignors of Apache Kafka 4.4 make of groups that come, go, grow and change their minds. Needs the class path of a
// broker: java -cp CLASSPATH AssignmentCases.java 40 | tr -d " " > test/fixtures/group-assignments.json
import java.util.*;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.*;
import org.apache.kafka.coordinator.group.assignor.*;
import org.apache.kafka.coordinator.group.modern.*;
public class AssignmentCases {
  record M(String id, String instance, LinkedHashSet<Uuid> topics, LinkedHashMap<Uuid, TreeSet<Integer>> assigned) {}
  public static void main(String[] a) {
    Random r = new Random(848);
    StringBuilder out = new StringBuilder("[\n");
    int cases = Integer.parseInt(a[0]); boolean first = true;
    for (int c = 0; c < cases; c++) {
      boolean range = c % 3 == 2; boolean alike = r.nextBoolean();
      Map<Uuid,Integer> parts = new HashMap<>();
      int nt = 1 + r.nextInt(4);
      for (int i = 0; i < nt; i++) parts.put(new Uuid(r.nextLong(), r.nextLong()), 1 + r.nextInt(9));
      List<Uuid> order = new ArrayList<>(new HashSet<>(parts.keySet()));
      List<M> members = new ArrayList<>(); int next = 0;
      for (int step = 0; step < 4; step++) {
        int joins = step == 0 ? 1 + r.nextInt(5) : r.nextInt(3);
        for (int j = 0; j < joins; j++) members.add(new M("m" + r.nextInt(90) + "-" + (next++), r.nextInt(4) == 0 ? "i" + r.nextInt(50) + "-" + next : null, new LinkedHashSet<>(), new LinkedHashMap<>()));
        if (step > 0) for (int j = r.nextInt(3); j > 0 && members.size() > 1; j--) members.remove(r.nextInt(members.size()));
        if (step > 0 && r.nextInt(3) == 0) { Uuid t = order.get(r.nextInt(order.size())); parts.put(t, parts.get(t) + 1 + r.nextInt(3)); }
        for (M m : members) if (alike) { m.topics.clear(); m.topics.addAll(order); }
          else if (m.topics.isEmpty() || r.nextInt(4) == 0) { m.topics.clear(); for (Uuid t : order) if (r.nextInt(3) > 0) m.topics.add(t); }
        LinkedHashMap<String, MemberSubscriptionAndAssignmentImpl> specs = new LinkedHashMap<>();
        Map<Uuid, Map<Integer,String>> inverted = new HashMap<>();
        StringBuilder in = new StringBuilder();
        for (M m : members) {
          Map<Uuid, Set<Integer>> as = new LinkedHashMap<>(); m.assigned.forEach((t, p) -> { as.put(t, new HashSet<>(p)); for (int x : p) inverted.computeIfAbsent(t, k -> new HashMap<>()).put(x, m.id); });
          specs.put(m.id, new MemberSubscriptionAndAssignmentImpl(Optional.empty(), Optional.ofNullable(m.instance), m.topics, new Assignment(as)));
          if (in.length() > 0) in.append(",");
          in.append("[\"").append(m.id).append("\",").append(m.instance == null ? "null" : "\"" + m.instance + "\"").append(",").append(ids(order, m.topics)).append(",").append(map(order, m.assigned)).append("]");
        }
        GroupSpec spec = new GroupSpecImpl(specs, alike ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS, inverted, Optional.empty());
        SubscribedTopicDescriber d = new SubscribedTopicDescriber() {
          public int numPartitions(Uuid t) { return parts.get(t); }
          public Set<String> racksForPartition(Uuid t, int p) { return Set.of(); }
          public Set<Integer> assignablePartitions(Uuid t) { return Set.of(); }
        };
        ConsumerGroupPartitionAssignor assignor = range ? new RangeAssignor() : new UniformAssignor();
        Map<String, MemberAssignment> res = assignor.assign(spec, d).members();
        StringBuilder ex = new StringBuilder();
        for (M m : members) {
          m.assigned.clear();
          MemberAssignment ma = res.get(m.id);
          if (ma != null) for (Uuid t : order) { Set<Integer> p = ma.partitions().get(t); if (p != null && !p.isEmpty()) m.assigned.put(t, new TreeSet<>(p)); }
          if (ex.length() > 0) ex.append(",");
          ex.append(map(order, m.assigned));
        }
        List<Integer> counts = new ArrayList<>(); for (Uuid t : order) counts.add(parts.get(t));
        StringBuilder oi = new StringBuilder(); for (Uuid t : order) oi.append(oi.length() > 0 ? "," : "").append("\"").append(t).append("\"");
        if (!first) out.append(",\n"); first = false;
        out.append("{\"assignor\":\"").append(range ? "range" : "uniform").append("\",\"alike\":").append(alike).append(",\"topics\":[").append(oi).append("],\"partitions\":").append(counts).append(",\"members\":[").append(in).append("],\"expected\":[").append(ex).append("]}");
      }
    }
    System.out.println(out.append("\n]"));
  }
  static String ids(List<Uuid> order, Set<Uuid> s) { List<Integer> l = new ArrayList<>(); for (Uuid t : s) l.add(order.indexOf(t)); return l.toString(); }
  static String map(List<Uuid> order, Map<Uuid, TreeSet<Integer>> m) { StringBuilder b = new StringBuilder("["); for (Uuid t : m.keySet()) b.append(b.length() > 1 ? "," : "").append("[").append(order.indexOf(t)).append(",").append(m.get(t)).append("]"); return b.append("]").toString(); }
}
