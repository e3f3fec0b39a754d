// What a test bench in a kernel's file uses: it is read, and left out of the plan.
#include <chrono>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>
#include <sys/time.h>
#include <unistd.h>

struct pixel {
    int x;
};
static std::ostream &operator<<(std::ostream &out, const pixel &p) { return out << "p" << p.x; }

int main(int argc, char **argv) {
    std::ifstream in(argv[1]);
    std::ofstream out("out.txt", std::ios::binary);
    if (!in || !out.is_open())
        return 1;
    std::vector<std::vector<int>> rows(4, std::vector<int>(8, 0));
    std::string line, last = std::to_string(argc);
    while (std::getline(in, line))
        rows[0].push_back(std::stoi(line));
    std::stringstream text(line);
    int x;
    text >> x;
    std::map<std::string, int> counts;
    counts["a"] += x;
    for (auto &row : rows)
        for (int &one : row)
            one = rand() + counts.size();
    std::unique_ptr<pixel> p(new pixel);
    auto q = std::make_unique<pixel>();
    std::mt19937 random(1);
    std::uniform_int_distribution<int> each(0, 9);
    p->x = each(random) + q->x;
    auto start = std::chrono::high_resolution_clock::now();
    double took = std::chrono::duration_cast<std::chrono::milliseconds>(
                      std::chrono::high_resolution_clock::now() - start)
                      .count();
    std::cout << std::setw(5) << std::fixed << std::setprecision(2) << took << *p << std::hex
              << rows[3].size() << std::endl;
    std::cerr << last + "x" << '\n';
    struct timeval now;
    gettimeofday(&now, NULL);
    return usleep(10) + (last == "2") + std::max<int>(rows[3][1], 2);
}
